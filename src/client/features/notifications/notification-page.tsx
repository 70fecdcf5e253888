import { useLocation } from '#client/platform/router/history.ts';
import NotificationsPage from './notifications-page.tsx';
import NotificationSettingsPage from './settings/notification-settings-page.tsx';

/** Routes below `/settings/notification`. */
export default function NotificationPage() {
  const { pathname } = useLocation();
  return /\/settings\/?$/.test(pathname) ? <NotificationSettingsPage /> : <NotificationsPage />;
}
