import { describe, expect, it } from 'vitest';
import { DAY } from '#domain/clock.ts';
import type { Bar } from '#domain/market/candles.ts';
import { candleAt, correlation, dailyReturns, extremes, lastDays, maxDrawdown, volatility } from '#domain/market/price-history.ts';

const START = Date.UTC(2026, 0, 1);
const bar = (day: number, close: number, { high = close, low = close } = {}): Bar => ({
  time: START + day * DAY,
  open: close,
  high,
  low,
  close,
});
const closes = (...prices: number[]): Bar[] => prices.map((price, day) => bar(day, price));
/** Closes that rise by 2% and fall by 1%, in turn, as `sign` says. */
const zigzag = (days: number, sign = 1): Bar[] => {
  const bars = [bar(0, 100)];
  for (let day = 1; day < days; day++) bars.push(bar(day, (bars[day - 1] as Bar).close * (1 + sign * (day % 2 === 0 ? -0.01 : 0.02))));
  return bars;
};

describe('extremes', () => {
  it('are the highest and the lowest price within the days, with their day; the earliest of equal ones', () => {
    const bars = [bar(0, 10, { high: 12, low: 9 }), bar(1, 11, { high: 15, low: 8 }), bar(2, 10, { high: 15, low: 8 })];
    expect(extremes(bars)).toEqual({ high: { price: 15, time: START + DAY }, low: { price: 8, time: START + DAY } });
  });

  it('are unknown without candles', () => expect(extremes([])).toBeUndefined());
});

describe('the last days', () => {
  it('are those that open within the span before the time of the figures', () => {
    const bars = closes(1, 2, 3, 4);
    expect(lastDays(bars, 2, START + 3 * DAY + DAY / 2)).toEqual(bars.slice(2));
    expect(lastDays(bars, Number.POSITIVE_INFINITY, START + 3 * DAY)).toEqual(bars);
  });
});

describe('daily changes', () => {
  it('are fractions of the close of the day before, and none follows a missing day or a price of zero', () => {
    const returns = dailyReturns([bar(0, 100), bar(1, 110), bar(3, 121), bar(4, 0), bar(5, 50)]);
    expect([...returns]).toEqual([
      [START + DAY, expect.closeTo(0.1, 10)],
      [START + 4 * DAY, -1],
    ]);
  });
});

describe('volatility', () => {
  it('is the standard deviation of the daily changes', () => {
    // Twenty changes, half of +2% and half of -1%: 1.5% from their mean each, with the correction for a sample.
    expect(volatility(zigzag(21))).toBeCloseTo(0.015 * Math.sqrt(20 / 19), 10);
  });

  it('is unknown below twenty changes', () => expect(volatility(zigzag(20))).toBeUndefined());
});

describe('the largest fall', () => {
  it('is that from a close to the lowest later one', () => {
    expect(maxDrawdown(closes(100, 120, 90, 130, 117, 140))).toEqual({
      share: 0.25,
      peak: { price: 120, time: START + DAY },
      trough: { price: 90, time: START + 2 * DAY },
    });
  });

  it('does not exist while the price only rises, and survives a price of zero', () => {
    expect(maxDrawdown(closes(1, 2, 3))).toBeUndefined();
    expect(maxDrawdown(closes(0, 0, 0))).toBeUndefined();
    expect(maxDrawdown([])).toBeUndefined();
    expect(maxDrawdown(closes(5, 0))?.share).toBe(1);
  });
});

describe('correlation', () => {
  it('is 1 for the same changes, -1 for opposite ones, and counts common days', () => {
    expect(correlation(zigzag(40), zigzag(30))).toEqual({ value: expect.closeTo(1, 6), days: 29 });
    expect(correlation(zigzag(40), zigzag(40, -1))).toEqual({ value: expect.closeTo(-1, 6), days: 39 });
  });

  it('is unknown below twenty common days, and of a price that stands still', () => {
    expect(correlation(zigzag(20), zigzag(40))).toBeUndefined();
    expect(correlation(zigzag(40), closes(...Array.from({ length: 40 }, () => 7)))).toBeUndefined();
  });
});

it('the candle at a time is that of its day', () => {
  const bars = closes(1, 2);
  expect(candleAt(bars, START + DAY - 1)?.close).toBe(1);
  expect(candleAt(bars, START + DAY)?.close).toBe(2);
  expect(candleAt(bars, START + 2 * DAY)).toBeUndefined();
  expect(candleAt(bars, START - 1)).toBeUndefined();
});
