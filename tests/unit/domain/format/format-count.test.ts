import { expect, it } from 'vitest';
import { formatCount } from '#domain/format/format-count.ts';

it('uses the singular for one only', () => {
  expect([0, 1, 2].map((count) => formatCount(count, 'candle'))).toEqual(['0 candles', '1 candle', '2 candles']);
  expect([1, 2].map((count) => formatCount(count, 'entry', 'entries'))).toEqual(['1 entry', '2 entries']);
});
