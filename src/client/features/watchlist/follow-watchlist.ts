import { withSocket } from '#client/platform/live/socket.ts';
import { startLane } from '#client/platform/outbox/start-lanes.ts';
import { refusedHeartMessage } from './hearts.ts';
import { pullWatchlist } from './pull-watchlist.ts';
import { heartsLane } from './send-hearts.ts';

/**
 * Sends hearts, and reads those of other devices at each connection, for as long as the page lives. Called once, at boot.
 * `tell` says what was refused to whoever looks.
 */
export function startFollowingWatchlist(tell: (message: string) => void): void {
  startLane(heartsLane, (heart, reason) => tell(`${refusedHeartMessage(heart)} ${reason}`));
  withSocket((socket) => socket.on('connect', () => void pullWatchlist()));
}
