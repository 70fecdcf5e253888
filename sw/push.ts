import { DEVICE_DB } from '../src/client/platform/db/db-names.ts';
import type { SessionRow } from '../src/client/platform/db/device-db.ts';
import { openExisting } from '../src/client/platform/db/open-existing.ts';
import { API_URL } from '../src/client/platform/settings.ts';
import { OPEN_PATH } from '../src/contract/push-limits.ts';
import { PRODUCT } from '../src/domain/product.ts';

declare const self: ServiceWorkerGlobalScope;

/** A push message, as far as it has the form that the server sends. */
interface Content {
  title: string;
  body: string;
  tag: string | undefined;
  /** A path of the app. */
  path: string;
  session: string | undefined;
  receipt: string | undefined;
  badge: number | undefined;
}

/** What a shown notification keeps for its click. */
interface Kept {
  path: string;
  receipt: string | undefined;
}

/** Another tab may upgrade the database: then the session is unknown, ms. */
const READ_LIMIT = 1_000;
/** How long a page has to open the link by itself, ms. */
const OPEN_LIMIT = 1_000;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Reads a message. Returns undefined for one that the server did not send. */
function read(data: PushMessageData | null): Content | undefined {
  try {
    if (!data) return undefined;
    const { notification, app_badge } = data.json();
    const { title, body, tag, navigate, data: own } = notification;
    const url = new URL(navigate);
    return {
      title: text(title) ?? PRODUCT,
      body: text(body) ?? '',
      tag: text(tag),
      path: url.pathname + url.search + url.hash,
      session: text(own?.session),
      receipt: text(own?.receipt),
      badge: Number.isInteger(app_badge) && app_badge >= 0 ? app_badge : undefined,
    };
  } catch {
    return undefined;
  }
}

/** Shows a message, and always something: browsers end subscriptions whose messages show nothing. */
async function show(data: PushMessageData | null): Promise<void> {
  const content = read(data);
  const isOwn = content?.session !== undefined && (await isOnDevice(content.session));
  if (!content || !isOwn) return showNeutral();
  const { title, body, tag, path, receipt, badge } = content;
  const kept: Kept = { path, receipt };
  const options = { body, icon: '/icon-192.png', lang: 'en', data: kept, ...(tag !== undefined && { tag }) };
  await self.registration.showNotification(title, options).catch(showNeutral);
  await Promise.all([setBadge(badge), acknowledge('shown', receipt)]);
}

/** Shows that there is something new, without a word of it: the text may be meant for another user of this device. */
const showNeutral = (): Promise<void> =>
  self.registration.showNotification(PRODUCT, {
    body: 'Open the app to see what is new.',
    icon: '/icon-192.png',
    tag: 'news',
    data: { path: '/', receipt: undefined } satisfies Kept,
  });

async function setBadge(count: number | undefined): Promise<void> {
  // Fails where the app is not installed.
  if (count !== undefined) await navigator.setAppBadge?.(count).catch(() => undefined);
}

/** Returns whether the device has this session: a remembered one, or one whose window is still open. */
async function isOnDevice(session: string): Promise<boolean> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, READ_LIMIT));
  const row = await Promise.race([readSession(), late]).catch(() => undefined);
  if (row?.sessionId !== session) return false;
  return row.window === null || (await windows()).length > 0;
}

async function readSession(): Promise<SessionRow | undefined> {
  const db = await openExisting(DEVICE_DB);
  if (!db) return undefined;
  try {
    const request: IDBRequest<SessionRow | undefined> = db.transaction('session').objectStore('session').get('current');
    return await new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } finally {
    db.close();
  }
}

const windows = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

/** Opens the link of a notification: in a page of the app if there is one, else in a new one. */
async function open({ path, receipt }: Kept): Promise<void> {
  const told = acknowledge('opened', receipt);
  const [page] = [...(await windows())].sort((one, other) => Number(other.focused) - Number(one.focused));
  if (!page) await self.clients.openWindow(path);
  else {
    await page.focus().catch(() => undefined);
    // The page keeps what is typed in it. One that does not answer is still loading.
    if (!(await openIn(page, path))) await page.navigate(path);
  }
  await told;
}

function openIn(page: Client, path: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => resolve(true);
    setTimeout(() => resolve(false), OPEN_LIMIT);
    page.postMessage({ type: OPEN_PATH, path }, [port2]);
  });
}

/** Tells the server that a notification was shown or opened. It mails urgent ones that no user saw. */
async function acknowledge(event: 'shown' | 'opened', receipt: string | undefined): Promise<void> {
  if (receipt !== undefined) await post('/notification/receipt', { token: receipt, event });
}

/** Sends without a session. A failure is not repeated. */
const post = (path: string, body: object) =>
  fetch(API_URL + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  }).catch(() => undefined);

interface SubscriptionChange extends ExtendableEvent {
  oldSubscription: PushSubscription | null;
  newSubscription: PushSubscription | null;
}

/** Tells the server a subscription's successor. Where this fails, the next start of the app does. */
async function renew({ oldSubscription: old, newSubscription }: SubscriptionChange): Promise<void> {
  const key = old?.options.applicationServerKey;
  const auth = old?.toJSON().keys?.auth;
  if (!old || !key || !auth) return;
  const next = newSubscription ?? (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  const { endpoint, keys } = next.toJSON();
  await post('/push/subscriptions/renew', { endpoint, keys, key: base64url(key), old: { endpoint: old.endpoint, auth } });
}

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Shows push messages, opens their links, and keeps the subscription known to the server. */
export function receivePushes(): void {
  self.addEventListener('push', (event) => event.waitUntil(show(event.data)));
  self.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(open(event.notification.data ?? { path: '/' }));
  });
  self.addEventListener('pushsubscriptionchange', (event) => {
    event.waitUntil(
      renew(event as unknown as SubscriptionChange).catch((error: unknown) =>
        console.error('renewing the push subscription failed', error),
      ),
    );
  });
}
