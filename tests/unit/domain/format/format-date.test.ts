import { afterEach, expect, it, vi } from 'vitest';
import { formatDateTime, formatDay, formatRecent, formatTimeOfDay } from '#domain/format/format-date.ts';
import { createRandom } from '#domain/random.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

it.each(['UTC', 'America/Santiago', 'Asia/Kolkata'])('writes times as Intl does on a device in %s', (zone) => {
  vi.stubEnv('TZ', zone);
  const styles = [{ timeStyle: 'short' }, { dateStyle: 'medium' }, { dateStyle: 'medium', timeStyle: 'short' }] as const;
  const formats = styles.map((style) => new Intl.DateTimeFormat('en', style));
  const random = createRandom(1);
  const times = Array.from({ length: 4_000 }, () => Math.floor(random() * Date.UTC(2100, 0)));
  const midnights = Array.from({ length: 400 }, (_, days) => new Date(2026, 0, days).getTime());
  for (const at of [...times, ...midnights.flatMap((start) => [start - 1, start, start + 12 * 3_600_000])])
    expect([formatTimeOfDay(at), formatDay(at), formatDateTime(at)]).toEqual(formats.map((format) => format.format(at)));
});

it('leaves out the date of today', () => {
  vi.useFakeTimers({ now: new Date(2026, 2, 1, 23, 59) });
  expect(formatRecent(new Date(2026, 2, 1, 0, 5).getTime())).toBe('12:05 AM');
  expect(formatRecent(new Date(2026, 1, 28, 23, 59).getTime())).toBe('Feb 28, 2026, 11:59 PM');
  expect(formatRecent(new Date(2025, 2, 1, 12, 0).getTime())).toBe('Mar 1, 2025, 12:00 PM');
});
