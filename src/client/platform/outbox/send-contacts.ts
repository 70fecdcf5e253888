import { contactAnswer } from '#contract/contact.ts';
import { upload } from '../api/upload.ts';
import { CONTACTS, REPLAY } from './contact-triggers.ts';
import { contactsLane } from './contacts.ts';
import { sendSoon, startLane } from './start-lanes.ts';
import { onSyncTrigger } from './sync-triggers.ts';

/** Background Sync exists in Chromium only. Other browsers wake a worker only for a page. */
interface SyncRegistration extends ServiceWorkerRegistration {
  sync?: { register(tag: string): Promise<void> };
}

const lane = contactsLane((path, request) => upload(path, { ...request, method: 'POST', answer: contactAnswer }));

/**
 * Starts sending messages, in the page and in the worker. The page reports progress; the worker waits for the lane's lock
 * and continues after the page closes. Call it once, at boot.
 */
export function startSendingContacts(): void {
  startLane(lane);
  onSyncTrigger(() => void askWorker());
}

/** Sends a new message, and has the browser wake the worker when there is a connection, even without a page. */
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
