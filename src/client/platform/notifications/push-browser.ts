import { isInstalled, isInstalledByHand } from '../pwa/installed.ts';

/** localStorage: the user whose notifications this device shows. */
const PUSH_USER = 'push-user';

/** Whether this browser can show push messages. `home-screen`: an iPhone or iPad, once the app is on its home screen. */
export function pushSupport(): 'yes' | 'home-screen' | 'no' {
  if (isInstalledByHand() && !isInstalled()) return 'home-screen';
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window ? 'yes' : 'no';
}

/** The user whose notifications this device shows, or null. */
export const pushUser = (): string | null => localStorage.getItem(PUSH_USER);
export const keepPushUser = (userId: string): void => localStorage.setItem(PUSH_USER, userId);

/** Returns this browser's subscription, if it has one. */
export async function currentSubscription(): Promise<PushSubscription | undefined> {
  return (await (await registration())?.pushManager?.getSubscription()) ?? undefined;
}

const registration = async () => ('serviceWorker' in navigator ? navigator.serviceWorker.getRegistration() : undefined);

/**
 * Ends push messages on this device, without the server, and closes those that are shown. Call it before a session ends: the server drops the
 * subscription with the session, and the browser refuses what it sends before that.
 */
export async function endPush(): Promise<void> {
  localStorage.removeItem(PUSH_USER);
  try {
    await (await currentSubscription())?.unsubscribe();
    const shown = await (await registration())?.getNotifications?.();
    for (const each of shown ?? []) each.close();
  } catch (error) {
    // The next start tries again: the subscription has no user any more.
    console.error('ending push messages failed', error);
  }
}
