import { describe, expect, test } from 'vitest';
import { quietEnd } from '#domain/notifications/quiet-hours.ts';

const minute = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
const endOf = (from: string, to: string, timeZone: string, now: string) => {
  const end = quietEnd({ from: minute(from), to: minute(to), timeZone }, Date.parse(now));
  return end === null ? null : new Date(end).toISOString();
};

describe('quiet hours', () => {
  test('end on the next day when they pass midnight', () => {
    expect(endOf('22:00', '07:00', 'UTC', '2026-06-01T23:15:30Z')).toBe('2026-06-02T07:00:00.000Z');
    expect(endOf('22:00', '07:00', 'UTC', '2026-06-02T06:59:59Z')).toBe('2026-06-02T07:00:00.000Z');
    expect(endOf('22:00', '07:00', 'UTC', '2026-06-02T07:00:00Z')).toBeNull();
    expect(endOf('22:00', '07:00', 'UTC', '2026-06-01T21:59:59Z')).toBeNull();
    expect(endOf('22:00', '07:00', 'UTC', '2026-06-01T22:00:00Z')).toBe('2026-06-02T07:00:00.000Z');
  });

  test('can be within a day', () => {
    expect(endOf('12:30', '13:07', 'UTC', '2026-06-01T12:45:00Z')).toBe('2026-06-01T13:07:00.000Z');
    expect(endOf('12:30', '13:07', 'UTC', '2026-06-01T13:10:00Z')).toBeNull();
  });

  test('are those of the time zone, also of one with half an hour', () => {
    expect(endOf('22:00', '07:00', 'America/New_York', '2026-06-01T23:15:00Z')).toBeNull();
    expect(endOf('22:00', '07:00', 'America/New_York', '2026-06-02T03:15:00Z')).toBe('2026-06-02T11:00:00.000Z');
    expect(endOf('22:00', '07:00', 'Asia/Kolkata', '2026-06-01T23:15:00Z')).toBe('2026-06-02T01:30:00.000Z');
  });

  test('end at the local time when the clocks go forward in the night', () => {
    // 29 March 2026, Berlin: 02:00 becomes 03:00.
    expect(endOf('22:00', '07:00', 'Europe/Berlin', '2026-03-28T22:00:00Z')).toBe('2026-03-29T05:00:00.000Z');
    // 02:30 does not exist: they end with the hour that is left out.
    expect(endOf('22:00', '02:30', 'Europe/Berlin', '2026-03-28T22:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
  });

  test('end at the local time when the clocks go back in the night', () => {
    // 25 October 2026, Berlin: 03:00 becomes 02:00.
    expect(endOf('22:00', '07:00', 'Europe/Berlin', '2026-10-24T21:00:00Z')).toBe('2026-10-25T06:00:00.000Z');
    expect(endOf('22:00', '07:07', 'Europe/Berlin', '2026-10-25T00:59:00Z')).toBe('2026-10-25T06:07:00.000Z');
    // The repeated half hour counts each time.
    expect(endOf('22:00', '02:30', 'Europe/Berlin', '2026-10-25T01:10:00Z')).toBe('2026-10-25T01:30:00.000Z');
    // Lord Howe Island changes by half an hour.
    expect(endOf('22:00', '06:00', 'Australia/Lord_Howe', '2026-04-04T12:00:00Z')).toBe('2026-04-04T19:30:00.000Z');
  });
});
