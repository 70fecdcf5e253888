import { isReachable } from '../live/reachability.ts';
import { sendRevocations } from '../session/revocations.ts';
import { createSender } from './sender.ts';
import { onSyncTrigger } from './sync-triggers.ts';

/** Ends on the server what was signed out while it did not answer, for as long as the page lives. Called once, at boot. */
export function startSendingRevocations(): void {
  onSyncTrigger(createSender(async () => (isReachable() ? sendRevocations() : 'empty')));
}
