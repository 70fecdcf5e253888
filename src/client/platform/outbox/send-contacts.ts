import { contactAnswer } from '#contract/contact.ts';
import { upload } from '../api/upload.ts';
import { CONTACTS, contactsLane, REPLAY } from './contacts.ts';
import { sendSoon, startLane } from './start-lanes.ts';
import { onSyncTrigger } from './sync-triggers.ts';

/** Chromium's; elsewhere a worker wakes up only for a page. */
interface SyncRegistration extends ServiceWorkerRegistration {
  sync?: { register(tag: string): Promise<void> };
}

const lane = contactsLane((path, request) => upload(path, { ...request, method: 'POST', answer: contactAnswer }));

/**
 * Sends messages for as long as the page lives, and asks the worker to at the same moments: the page can tell how far a
 * message is, the worker waits behind it at the lane's lock and goes on when the page is closed. Called once, at boot.
 */
export function startSendingContacts(): void {
  startLane(lane);
  onSyncTrigger(() => void askWorker());
}

/** Call it after each new message. The browser then wakes the worker when there is a connection, with or without a page. */
export function sendContacts(): void {
  sendSoon(CONTACTS);
  void registerSync().catch((error: unknown) => console.error('no background sync', error));
}

async function askWorker(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  registration?.active?.postMessage({ type: REPLAY });
}

async function registerSync(): Promise<void> {
  const registration: SyncRegistration | undefined = await navigator.serviceWorker?.getRegistration();
  await registration?.sync?.register(CONTACTS);
}
