import { expect, test } from 'vitest';
import { originAllowed } from '#server/realtime/origin.ts';

const allowed = new Set(['https://app.example.com']);

test.each([
  [undefined, true],
  ['https://app.example.com', true],
  ['http://app.example.com', false],
  ['https://app.example.com:8443', false],
  ['https://app.example.com.evil.example', false],
  ['http://127.0.0.1:8080', true],
  ['http://127.0.0.1:8081', false],
  ['null', false],
  ['', false],
])('%s: %s', (origin, expected) => {
  expect(originAllowed({ headers: { host: '127.0.0.1:8080', ...(origin !== undefined && { origin }) } }, allowed)).toBe(expected);
});
