import { notification } from '../../../contract/notification';
import { withSocket } from '../../platform/live/socket';
import { onChance } from '../../platform/outbox/chances';
import { startLane } from '../../platform/outbox/start-lanes';
import { signedIn } from '../../platform/session/signed-in';
import { pullNotifications } from './notifications';
import { readMarksLane } from './read-marks';
import { watchUnread } from './watch-unread';

/** Stores a notification as it comes over the socket. */
export async function takeNotification(event: unknown): Promise<void> {
  const parsed = notification.safeParse(event);
  const user = signedIn();
  if (parsed.success && user) await user.db.notifications.put(parsed.data);
}

/** Keeps the stored list and the bell in step with the server, and sends read marks, for as long as the page lives. Called once, at boot. */
export function startFollowingNotifications(): void {
  startLane(readMarksLane);
  watchUnread();
  onChance(() => void pullNotifications());
  withSocket((socket) => socket.on('notification', (event) => void takeNotification(event)));
}
