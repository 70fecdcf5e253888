import type { ReactNode } from 'react';
import { useLocation } from '#client/platform/router/history.ts';
import NotificationsPage from './notifications-page.tsx';
import NotificationSettingsPage from './settings/notification-settings-page.tsx';

/** Routes below `/settings/notification`. `device`: what this device shows, in the settings. */
export function NotificationPage({ device }: { device: ReactNode }) {
  const { pathname } = useLocation();
  return /\/settings\/?$/.test(pathname) ? <NotificationSettingsPage device={device} /> : <NotificationsPage />;
}
