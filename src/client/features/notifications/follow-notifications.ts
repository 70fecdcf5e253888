import { onEvent } from '#client/platform/live/socket.ts';
import { startLane } from '#client/platform/outbox/start-lanes.ts';
import { onSyncTrigger } from '#client/platform/outbox/sync-triggers.ts';
import { signedIn } from '#client/platform/session/signed-in.ts';
import { notification } from '#contract/notification.ts';
import { pullNotifications } from './notifications.ts';
import { readMarksLane } from './read-marks.ts';
import { watchUnread } from './watch-unread.ts';

/** Stores a notification from the socket. Ignores invalid ones. */
export async function storeNotification(event: unknown): Promise<void> {
  const parsed = notification.safeParse(event);
  const user = signedIn();
  if (parsed.success && user) await user.db.notifications.put(parsed.data);
}

/** Syncs notifications, the bell and read marks with the server. Call once, at boot. */
export function startFollowingNotifications(): void {
  startLane(readMarksLane);
  watchUnread();
  onSyncTrigger(() => void pullNotifications());
  onEvent('notification', storeNotification);
}
