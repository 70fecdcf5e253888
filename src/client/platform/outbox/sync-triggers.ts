import { isReachable, onReachabilityChange } from '../live/reachability.ts';
import { withSocket } from '../live/socket.ts';
import { onSessionChange } from '../session/session.ts';

/**
 * Calls `listener` now, and whenever what waits may get through: a login, a connection that is back, the socket's own,
 * a page that is looked at again (failure mode 10). Called by the page, once for each lane.
 */
export function onSyncTrigger(listener: () => void): void {
  withSocket((socket) => socket.on('connect', listener));
  onReachabilityChange(() => isReachable() && listener());
  onSessionChange(listener);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && listener());
  listener();
}
