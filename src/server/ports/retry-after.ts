import { DAY } from '#domain/clock.ts';

/** Parses `Retry-After` (seconds or a date) to ms, at most a day; undefined without one. */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after') ?? '';
  const wait = /^\d{1,6}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), DAY);
}
