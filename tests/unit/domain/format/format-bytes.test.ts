import { expect, it } from 'vitest';
import { formatBytes } from '#domain/format/format-bytes.ts';

it.each([
  [0, '0 B'],
  [812, '812 B'],
  [999.6, '1.0 kB'],
  [1000, '1.0 kB'],
  [3449, '3.4 kB'],
  [9949, '9.9 kB'],
  [9999, '10 kB'],
  [999_499, '999 kB'],
  [999_600, '1.0 MB'],
  [12_300_000, '12 MB'],
  [2_500_000_000, '2.5 GB'],
  [4e15, '4000 TB'],
])('%d bytes read %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
