import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { klines, readKlines } from '#server/ports/exchange/bybit/klines.ts';

const LENGTH = 900_000;
const row = (index: number, close = 100) => [String(index * LENGTH), '100', '101', '99', String(close), '2.5', '250'];
const read = (rows: string[][], now = 10 * LENGTH) => readKlines(z.parse(klines, { list: rows }), LENGTH, now);

describe('candles as Bybit lists them', () => {
  test('come oldest first', () => {
    expect(read([row(2), row(1)])).toEqual([
      { time: LENGTH, open: 100, high: 101, low: 99, close: 100, volume: 2.5 },
      { time: 2 * LENGTH, open: 100, high: 101, low: 99, close: 100, volume: 2.5 },
    ]);
  });

  test('are unique, the first one counts', () => {
    expect(read([row(2, 101), row(2, 99), row(1)]).map(({ close }) => close)).toEqual([100, 101]);
  });

  test('count only if they are valid, aligned to their length, and not in the future', () => {
    const crooked = ['1', '100', '101', '99', '100', '1', '1'];
    const impossible = [String(3 * LENGTH), '100', '99', '99', '100', '1', '1'];
    expect(read([row(6), row(5), impossible, crooked], 5 * LENGTH).map(({ time }) => time / LENGTH)).toEqual([5]);
  });

  test.each([[['x', '1', '1', '1', '1', '1']], [['900000', '0', '1', '1', '1', '1']], [['900000', '1']]])(
    'are rejected if they are not numbers: %j',
    (bad) => {
      expect(z.safeParse(klines, { list: [bad] }).success).toBe(false);
    },
  );
});
