import { onMissed } from '#client/platform/live/socket.ts';
import { startLane } from '#client/platform/outbox/start-lanes.ts';
import { refusedHeartMessage } from './hearts.ts';
import { pullWatchlist } from './pull-watchlist.ts';
import { heartsLane } from './send-hearts.ts';

/**
 * Sends watchlist changes, and loads those of other devices on each connection. Call once, at boot.
 * `notify` shows a refused change to the user.
 */
export function startFollowingWatchlist(notify: (message: string) => void): void {
  startLane(heartsLane, (heart, reason) => notify(`${refusedHeartMessage(heart)} ${reason}`));
  onMissed(() => void pullWatchlist());
}
