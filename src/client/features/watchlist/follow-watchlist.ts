import { load } from '../../platform/cache/resource';
import { withSocket } from '../../platform/live/socket';
import { startLane } from '../../platform/outbox/start-lanes';
import { signedIn } from '../../platform/session/signed-in';
import { refusedHeart } from './hearts';
import { heartsLane } from './send-hearts';
import { watchlistResource, wholeWatchlist } from './watchlist-resource';

/** Asks for the hearts again. Without an answer they stay as they are; the next connection asks again. */
export async function pullWatchlist(): Promise<void> {
  const user = signedIn();
  if (user) await load(user.db, watchlistResource, wholeWatchlist(user.userId)).catch(() => undefined);
}

/**
 * Sends hearts, and reads those of other devices at each connection, for as long as the page lives. Called once, at boot.
 * `tell` says what was refused to whoever looks.
 */
export function startFollowingWatchlist(tell: (message: string) => void): void {
  startLane(heartsLane, (heart, reason) => tell(`${refusedHeart(heart)} ${reason}`));
  withSocket((socket) => socket.on('connect', () => void pullWatchlist()));
}
