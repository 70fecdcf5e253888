import { withSocket } from '../../platform/live/socket';
import { startLane } from '../../platform/outbox/start-lanes';
import { refusedHeart } from './hearts';
import { pullWatchlist } from './pull-watchlist';
import { heartsLane } from './send-hearts';

/**
 * Sends hearts, and reads those of other devices at each connection, for as long as the page lives. Called once, at boot.
 * `tell` says what was refused to whoever looks.
 */
export function startFollowingWatchlist(tell: (message: string) => void): void {
  startLane(heartsLane, (heart, reason) => tell(`${refusedHeart(heart)} ${reason}`));
  withSocket((socket) => socket.on('connect', () => void pullWatchlist()));
}
