import { expect, it } from 'vitest';
import { DAY, MINUTE } from '#domain/clock.ts';
import { waitForWindow } from '#tests/support/stay-within.ts';

it.each([
  ['2026-11-27T00:00:00Z', DAY, 0],
  ['2026-11-27T23:59:29.999Z', DAY, 0],
  ['2026-11-27T23:59:30Z', DAY, 30_000],
  ['2026-11-27T23:59:59.999Z', DAY, 1],
  ['2026-11-27T12:30:31Z', MINUTE, 29_000],
])('at %s, in windows of %d ms, a test of 30 s waits %d ms', (time, length, ms) => {
  expect(waitForWindow(Date.parse(time), length, 30_000)).toBe(ms);
});
