import { isReachable, onReachabilityChange } from '../live/reachability.ts';
import { onMissed } from '../live/socket.ts';
import { onSessionChange } from '../session/session.ts';

/**
 * Calls `listener` now and whenever a retry may succeed: after a login, when the server or the socket is back, and when
 * the page becomes visible, since iOS fires no event for a connection that returns in the background.
 */
export function onSyncTrigger(listener: () => void): void {
  onMissed(listener);
  onReachabilityChange(() => isReachable() && listener());
  onSessionChange(listener);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && listener());
  listener();
}
