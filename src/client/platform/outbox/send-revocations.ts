import { isReachable } from '../live/reachability';
import { sendRevocations } from '../session/revocations';
import { onChance } from './chances';
import { createSender } from './sender';

/** Ends on the server what was signed out while it did not answer, for as long as the page lives. Called once, at boot. */
export function startSendingRevocations(): void {
  onChance(createSender(async () => (isReachable() ? sendRevocations() : 'empty')));
}
