import { CONTACTS, REPLAY } from '../src/client/platform/outbox/contacts.ts';
import { drainContacts } from '../src/client/platform/outbox/contacts-worker.ts';

declare const self: ServiceWorkerGlobalScope;

interface SyncEvent extends ExtendableEvent {
  tag: string;
}

/** Delay after the worker starts, ms: the page's first requests go first. */
const START_DELAY_MS = 3_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Drains the queue. After a failure, messages stay queued until the next trigger. */
const tryToSend = () => drainContacts().catch((error: unknown) => console.error('reading queued messages from the device failed', error));

/** Drains the queue. Throws while messages are left, so that the browser repeats the sync event. */
async function sync(): Promise<void> {
  if ((await drainContacts()) === 'stopped') throw new Error('messages still wait to be sent');
}

/**
 * Sends queued messages to support: on a sync event, when a page asks, and when this worker activates or starts. A waiting
 * worker sends nothing: its database version may differ from the open pages'.
 */
export function sendContacts(): void {
  self.addEventListener('sync', (event) => {
    const { tag } = event as SyncEvent;
    if (tag === CONTACTS) (event as SyncEvent).waitUntil(sync());
  });
  self.addEventListener('message', (event) => {
    if (event.data?.type === REPLAY) event.waitUntil(tryToSend());
  });
  self.addEventListener('activate', (event) => event.waitUntil(tryToSend()));
  self.addEventListener('fetch', (event) => event.waitUntil(pause(START_DELAY_MS).then(tryToSend)), { once: true });
}
