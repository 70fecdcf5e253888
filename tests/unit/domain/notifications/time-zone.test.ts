import { expect, test } from 'vitest';
import { isTimeZone } from '#domain/notifications/time-zone.ts';

test.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Etc/GMT+5', true],
  ['Europe/Atlantis', false],
  ['', false],
  ['+02:00', false],
  ["'; drop table users", false],
  ['x'.repeat(100_000), false],
])('case %#: a name of a time zone', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});
