import Dexie from 'dexie';
import { toast } from '../toast.ts';

/** What IndexedDB says when the device is full or its storage fails. */
const NOT_STORED = new Set(['QuotaExceededError', 'AbortError', 'UnknownError']);

/** Tells the user that the device has not stored a change, where the control of that change does not. */
export function startTellingUnstored(): void {
  addEventListener('unhandledrejection', ({ reason }) => {
    if (reason instanceof Dexie.DexieError && NOT_STORED.has(reason.name))
      toast('Your change could not be stored on this device. Free some space and try again.');
  });
}
