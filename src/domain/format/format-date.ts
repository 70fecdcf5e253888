import { isSameDay } from './format-time.ts';

// Without Intl: the first format of a page takes 60 ms on a slow phone. Times are in ms or ISO 8601, and shown in the device's time zone.

/** Returns `9:14 AM`. */
export function formatTimeOfDay(at: number | string): string {
  const date = new Date(at);
  const hours = date.getHours();
  return `${hours % 12 || 12}:${String(date.getMinutes()).padStart(2, '0')} ${hours < 12 ? 'AM' : 'PM'}`;
}

/** Returns `Mar 1, 2026`. */
export function formatDay(at: number | string): string {
  const [, month, day, year] = new Date(at).toDateString().split(' ');
  return `${month} ${Number(day)}, ${year}`;
}

/** Returns `Mar 1, 2026, 9:14 AM`. */
export const formatDateTime = (at: number | string): string => `${formatDay(at)}, ${formatTimeOfDay(at)}`;

/** Returns `9:14 AM` for a time of today, and `Mar 1, 2026, 9:14 AM` for any other. */
export const formatRecent = (at: number): string => (isSameDay(at, Date.now()) ? formatTimeOfDay(at) : formatDateTime(at));
