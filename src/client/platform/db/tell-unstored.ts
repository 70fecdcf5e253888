import Dexie from 'dexie';
import { toast } from '../toast.ts';
import { isNotStored } from './not-stored.ts';

/** Tells the user that the device has not stored a change, where the control of that change does not. */
export function startTellingUnstored(): void {
  addEventListener('unhandledrejection', ({ reason }) => {
    if (reason instanceof Dexie.DexieError && isNotStored(reason))
      toast('Your change could not be stored on this device. Free some space and try again.');
  });
}
