import { HOUR, MINUTE } from '../clock.ts';

/** `0 sec ago`, `12 min ago`, `3 hours ago`: when something was notified (spec §9), in ms. Nothing is larger than hours. */
export function formatNotified(then: number, now: number): string {
  const age = Math.max(0, now - then);
  if (age < MINUTE) return '0 sec ago';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
  const hours = Math.floor(age / HOUR);
  return `${hours} ${hours === 1 ? 'hour' : 'hours'} ago`;
}

/** `m:ss` of a countdown; `seconds` is whole and not negative. */
export const formatCountdown = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** Same calendar day where the device is. */
export const isSameDay = (a: number, b: number): boolean => new Date(a).toDateString() === new Date(b).toDateString();
