import { describe, expect, it } from 'vitest';
import { formatCountdown, isSameDay } from '#domain/format/format-time.ts';

describe('times', () => {
  it('counts down in minutes and seconds', () => expect([180, 61, 9, 0].map(formatCountdown)).toEqual(['3:00', '1:01', '0:09', '0:00']));

  it('knows a calendar day where the device is', () => {
    const evening = new Date(2026, 10, 21, 23, 59).getTime();
    expect(isSameDay(evening, new Date(2026, 10, 21, 0, 1).getTime())).toBe(true);
    expect(isSameDay(evening, evening + 120_000)).toBe(false);
  });
});
