import { HOUR, MINUTE } from '../clock.ts';
import { formatCount } from './format-count.ts';

/** Returns `0 sec ago`, `12 min ago` or `3 hours ago`, from times in ms. Hours are the largest unit. */
export function formatNotified(then: number, now: number): string {
  const age = Math.max(0, now - then);
  if (age < MINUTE) return '0 sec ago';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
  const hours = Math.floor(age / HOUR);
  return `${formatCount(hours, 'hour')} ago`;
}

/** Returns `m:ss`. `seconds` is a non-negative integer. */
export const formatCountdown = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** Compares calendar days in the device's time zone. */
export const isSameDay = (a: number, b: number): boolean => new Date(a).toDateString() === new Date(b).toDateString();
