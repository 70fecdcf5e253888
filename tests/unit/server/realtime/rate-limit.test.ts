import { expect, test } from 'vitest';
import { createRateLimit } from '#server/realtime/rate-limit.ts';

test('counts per key and resets when the window ends', () => {
  let now = 0;
  const allow = createRateLimit({ limit: 2, span: 1000, clock: () => now });
  expect([allow('a'), allow('a'), allow('a'), allow('b')]).toEqual([true, true, false, true]);
  now = 999;
  expect(allow('a')).toBe(false);
  now = 1000;
  expect([allow('a'), allow('a'), allow('a')]).toEqual([true, true, false]);
});
