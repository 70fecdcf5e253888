import { withSocket } from '#client/platform/live/socket.ts';
import { startLane } from '#client/platform/outbox/start-lanes.ts';
import { onSyncTrigger } from '#client/platform/outbox/sync-triggers.ts';
import { signedIn } from '#client/platform/session/signed-in.ts';
import { notification } from '#contract/notification.ts';
import { pullNotifications } from './notifications.ts';
import { readMarksLane } from './read-marks.ts';
import { watchUnread } from './watch-unread.ts';

/** Stores a notification as it comes over the socket. */
export async function storeNotification(event: unknown): Promise<void> {
  const parsed = notification.safeParse(event);
  const user = signedIn();
  if (parsed.success && user) await user.db.notifications.put(parsed.data);
}

/** Keeps the stored list and the bell in step with the server, and sends read marks, for as long as the page lives. Called once, at boot. */
export function startFollowingNotifications(): void {
  startLane(readMarksLane);
  watchUnread();
  onSyncTrigger(() => void pullNotifications());
  withSocket((socket) => socket.on('notification', (event) => void storeNotification(event)));
}
