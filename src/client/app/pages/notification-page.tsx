import { NotificationPage } from '#client/features/notifications/notification-page.tsx';
import { PushRow } from '#client/features/push/push-row.tsx';

/** The notifications and their settings, with what this device does with them. */
export default function NotificationWithDevice() {
  return <NotificationPage device={<PushRow />} />;
}
