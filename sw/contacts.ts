import { CONTACTS, REPLAY } from '../src/client/platform/outbox/contact-triggers.ts';
import type { DrainResult } from '../src/client/platform/outbox/outbox.ts';
import { messageWaits } from './message-waits.ts';

declare const self: ServiceWorkerGlobalScope & {
  /** Exists once outbox.ts is loaded. */
  drainContacts?: () => Promise<DrainResult>;
};

/** URL of the built outbox.ts: the build defines it. */
declare const OUTBOX_URL: string;

interface SyncEvent extends ExtendableEvent {
  tag: string;
}

/** Delay after the worker starts, ms: the page's first requests go first. */
const START_DELAY_MS = 3_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function loadOutbox(): () => Promise<DrainResult> {
  if (!self.drainContacts) self.importScripts(OUTBOX_URL);
  if (!self.drainContacts) throw new Error('the outbox did not load');
  return self.drainContacts;
}

/** Sends what is queued. Loads Dexie and the outbox only if a message waits, or if that can't be told. */
async function drain(): Promise<DrainResult> {
  if (!(await messageWaits().catch(() => true))) return 'empty';
  return loadOutbox()();
}

/** Drains the queue. After a failure, messages stay queued until the next trigger. */
const tryToSend = () => drain().catch((error: unknown) => console.error('reading queued messages from the device failed', error));

/** Drains the queue. Throws while messages are left, so that the browser repeats the sync event. */
async function sync(): Promise<void> {
  if ((await drain()) === 'stopped') throw new Error('messages still wait to be sent');
}

/**
 * Sends queued messages to support: on a sync event, when a page asks, and when this worker activates or starts. A waiting
 * worker sends nothing: its database version may differ from the open pages'.
 */
export function sendContacts(): void {
  // An installed worker can import only scripts that it imported during its installation.
  self.addEventListener('install', (event) => event.waitUntil((async () => void loadOutbox())()));
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
