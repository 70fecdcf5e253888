import { isReachable } from '../live/reachability.ts';
import { signedIn } from '../session/signed-in.ts';
import { drainLane, type HttpLane, type OnRefused } from './http-lanes.ts';
import { createSender } from './sender.ts';
import { onSyncTrigger } from './sync-triggers.ts';

const senders = new Map<string, () => void>();

/** Starts sending a lane's commands. Call it once for each lane, at boot. */
export function startLane<Body>(lane: HttpLane<Body>, onRefused?: OnRefused<Body>): void {
  const soon = createSender(async () => {
    const user = signedIn();
    return user && isReachable() ? drainLane(user.db, lane, onRefused) : 'empty';
  });
  senders.set(lane.name, soon);
  onSyncTrigger(soon);
}

/** Requests a drain of a lane. Call it after each new command; a lane that is not started sends when it starts. */
export const sendSoon = (lane: string): void => senders.get(lane)?.();
