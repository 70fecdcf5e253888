import { CONTACTS, REPLAY } from '../src/client/platform/outbox/contacts.ts';
import { drainContacts } from '../src/client/platform/outbox/contacts-worker.ts';

declare const self: ServiceWorkerGlobalScope;

interface SyncEvent extends ExtendableEvent {
  tag: string;
}

/** ms. What a page shows first comes first. */
const AFTER_START = 3_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Without an answer, what waits stays where it is, and the next chance comes. */
const tryToSend = () =>
  drainContacts().catch((error: unknown) => console.error('what waits to be sent could not be read from the device', error));

/** A rejected sync event is one that the browser repeats: it must know that something still waits. */
async function sync(): Promise<void> {
  if ((await drainContacts()) === 'stopped') throw new Error('messages still wait to be sent');
}

/**
 * Sends messages to support whenever there is a chance: with the connection that the browser reports, when a page asks,
 * when this worker takes over and when it starts. It never does while it only waits to take over: the database may
 * have another shape for it than for the open pages.
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
  self.addEventListener('fetch', (event) => event.waitUntil(pause(AFTER_START).then(tryToSend)), { once: true });
}
