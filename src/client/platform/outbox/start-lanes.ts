import { isReachable } from '../live/reachability.ts';
import { signedIn } from '../session/signed-in.ts';
import { drainLane, type HttpLane, type OnRefused } from './http-lanes.ts';
import { createSender } from './sender.ts';
import { onSyncTrigger } from './sync-triggers.ts';

const senders = new Map<string, () => void>();

/** Sends a lane's commands for as long as the page lives. Called once for each lane, at boot. */
export function startLane<Body>(lane: HttpLane<Body>, onRefused?: OnRefused<Body>): void {
  const soon = createSender(async () => {
    const user = signedIn();
    return user && isReachable() ? drainLane(user.db, lane, onRefused) : 'empty';
  });
  senders.set(lane.name, soon);
  onSyncTrigger(soon);
}

/** Asks for a lane to be sent. Call it after each new command; a lane that has yet to start sends when it does. */
export const sendSoon = (lane: string): void => senders.get(lane)?.();
