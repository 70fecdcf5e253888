import { expect, test } from 'vitest';
import { unbroken } from '#server/ports/exchange/live/candle-pages.ts';

const candle = (time: number, close: number) => ({ time, open: 100, high: 101, low: 99, close, volume: 2.5 });

test('a gap has candles at the last close', () => {
  const whole = unbroken([candle(2, 101), candle(5, 100)], 1);
  expect(whole.map(({ time }) => time)).toEqual([2, 3, 4, 5]);
  expect(whole[1]).toEqual({ time: 3, open: 101, high: 101, low: 101, close: 101, volume: 0 });
});
