import { expect, it } from 'vitest';
import { HOUR } from '#domain/clock.ts';
import { resample } from '#server/strategy/backtest/resample.ts';

const candle = (hour: number) => ({ time: hour * HOUR, open: hour, high: hour + 0.5, low: hour - 0.5, close: hour + 0.1, volume: 1 });
const hours = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => candle(from + index));

it('joins candles on UTC boundaries, and leaves out partial ones at the ends', () => {
  const joined = resample(hours(14, 25), { from: HOUR, to: 4 * HOUR });
  expect(joined).toEqual([
    { time: 16 * HOUR, open: 16, high: 19.5, low: 15.5, close: 19.1, volume: 4 },
    { time: 20 * HOUR, open: 20, high: 23.5, low: 19.5, close: 23.1, volume: 4 },
  ]);
});

it('keeps a candle that misses a part in the middle', () => {
  const joined = resample([...hours(16, 18), ...hours(21, 24)], { from: HOUR, to: 4 * HOUR });
  expect(joined.map(({ time, volume }) => [time / HOUR, volume])).toEqual([
    [16, 2],
    [20, 3],
  ]);
});

it('does not change the candles it gets', () => {
  const given = hours(0, 8);
  resample(given, { from: HOUR, to: 4 * HOUR });
  expect(given).toEqual(hours(0, 8));
  expect(resample(given, { from: HOUR, to: HOUR })).toEqual(given);
});
