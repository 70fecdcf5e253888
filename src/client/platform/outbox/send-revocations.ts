import { isReachable } from '../live/reachability.ts';
import { sendRevocations } from '../session/revocations.ts';
import { createSender } from './sender.ts';
import { onSyncTrigger } from './sync-triggers.ts';

/** Retries sign-outs that the server has not confirmed. Call it once, at boot. */
export function startSendingRevocations(): void {
  onSyncTrigger(createSender(async () => (isReachable() ? sendRevocations() : 'empty')));
}
