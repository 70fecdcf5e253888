import { DAY } from '#domain/clock.ts';

/** What `Retry-After` asks for, ms, a day at most; undefined without one. It is seconds or a date. */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after') ?? '';
  const wait = /^\d{1,6}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), DAY);
}
