import { call } from '#client/platform/api/call.ts';
import { bytesOf } from '#client/platform/base64url.ts';
import { createValue } from '#client/platform/create-value.ts';
import { amountsHidden } from '#client/platform/device-choices/hidden-amounts.ts';
import { currentSubscription, endPush, keepPushUser, pushSupport, pushUser } from '#client/platform/notifications/push-browser.ts';
import { sessionState } from '#client/platform/session/session.ts';
import { signedIn } from '#client/platform/session/signed-in.ts';
import { useValue } from '#client/platform/use-value.ts';

/** What this device does with notifications. `asking`: not known yet. */
export type PushState = 'asking' | 'unsupported' | 'home-screen' | 'denied' | 'off' | 'on';

const state = createValue<PushState>('asking');
export const usePushState = (): PushState => useValue(state);

/** The browser did not subscribe. Its push service may be blocked or out of reach. */
export class NotSubscribed extends Error {}

/** Loads the contract with the first request that needs it. */
const contract = () => import('#contract/push.ts');

/** Reads what this device does, from the browser and not from memory: the user can change both in the browser's settings. */
export async function readPushState(): Promise<void> {
  state.set(await lookUp());
}

async function lookUp(): Promise<PushState> {
  const support = pushSupport();
  if (support !== 'yes') return support === 'no' ? 'unsupported' : support;
  if (Notification.permission === 'denied') return 'denied';
  const user = signedIn();
  const isOn = user !== undefined && pushUser() === user.userId && Notification.permission === 'granted';
  return isOn && (await currentSubscription()) ? 'on' : 'off';
}

/**
 * Asks for the permission and subscribes this device. Call it in the handler of a tap: Safari asks only then.
 * @throws NotSubscribed, and what `call` throws
 */
export async function turnPushOn(): Promise<void> {
  const user = signedIn();
  if (!user) return;
  try {
    if ((await Notification.requestPermission()) === 'granted') {
      await subscribe();
      keepPushUser(user.userId);
    }
  } finally {
    await readPushState();
  }
}

/** Ends push messages on this device. Works offline: the push service then refuses what the server sends. */
export async function turnPushOff(): Promise<void> {
  await endPush();
  await readPushState();
  const { messageAnswer } = await import('#contract/envelope.ts');
  await call('/push/subscriptions', { method: 'DELETE', answer: messageAnswer }).catch(() => undefined);
}

/** Makes the browser's subscription and the server's equal: the browser may have lost or replaced its own, the server its key. */
async function subscribe(): Promise<void> {
  const [{ pushKeyAnswer }, { messageAnswer }] = await Promise.all([contract(), import('#contract/envelope.ts')]);
  const { key } = (await call('/push/key', { answer: pushKeyAnswer })).data;
  const { endpoint, keys } = (await subscribeBrowser(key)).toJSON();
  await call('/push/subscriptions', {
    method: 'POST',
    body: { endpoint, keys, key, hide_amounts: amountsHidden.isOn() },
    answer: messageAnswer,
  });
}

async function subscribeBrowser(key: string): Promise<PushSubscription> {
  const wanted = bytesOf(key);
  const current = await currentSubscription();
  if (current && isSame(current.options.applicationServerKey, wanted)) return current;
  await current?.unsubscribe();
  const { pushManager } = await navigator.serviceWorker.ready;
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: wanted }).catch((error: unknown) => {
    throw new NotSubscribed('the browser did not subscribe', { cause: error });
  });
}

function isSame(known: ArrayBuffer | null, wanted: Uint8Array): boolean {
  const bytes = new Uint8Array(known ?? []);
  return bytes.length === wanted.length && bytes.every((byte, place) => byte === wanted[place]);
}

/** What this page has compared with the server: the subscription of a user, and whether it hides amounts. */
let compared: string | undefined;
let comparing: Promise<void> | undefined;

/** Compares the subscription with the server, once a start, user and choice of amounts. A failure leaves it to the next trigger. */
export async function syncPush(): Promise<void> {
  // A running comparison may have begun with what has changed meanwhile.
  await comparing;
  comparing ??= compare()
    .catch(() => undefined)
    .finally(() => {
      comparing = undefined;
    });
  await comparing;
}

async function compare(): Promise<void> {
  if (pushSupport() !== 'yes' || sessionState().status === 'starting') return;
  const user = signedIn();
  const subject = user && `${user.userId} ${amountsHidden.isOn()}`;
  if (subject === compared && compared !== undefined) return;
  // No user, or another one: the subscription was made for the user before.
  if (!user || pushUser() !== user.userId) {
    if (pushUser() !== null || (await currentSubscription())) await endPush();
    compared = subject;
  } else if (Notification.permission === 'granted') {
    await subscribe();
    compared = subject;
  }
  await readPushState();
}
