import { describe, expect, it } from 'vitest';
import type { Candle } from '#domain/market/candles.ts';
import { findLevels, findSwings } from '#domain/market/levels.ts';

/** Candles one minute apart that reach half a dollar around each price. */
const candles = (...prices: number[]): Candle[] =>
  prices.map((price, index) => ({ time: index * 60_000, open: price, high: price + 0.5, low: price - 0.5, close: price, volume: 1 }));

describe('findSwings', () => {
  it('finds the turns of a zigzag, in order of time', () => {
    expect(findSwings(candles(10, 12, 15, 12, 9, 11, 14, 10, 8), 2)).toEqual([
      { kind: 'high', price: 15.5, time: 120_000 },
      { kind: 'low', price: 8.5, time: 240_000 },
      { kind: 'high', price: 14.5, time: 360_000 },
    ]);
  });

  it('finds none in a straight rise, in too few candles or in none', () => {
    expect(findSwings(candles(1, 2, 3, 4, 5, 6, 7), 2)).toEqual([]);
    expect(findSwings(candles(1, 2, 1, 2), 2)).toEqual([]);
    expect(findSwings([], 3)).toEqual([]);
  });

  it('takes the earliest of equal extremes', () => {
    const highs = findSwings(candles(10, 12, 15, 15, 15, 12, 10), 2).filter(({ kind }) => kind === 'high');
    expect(highs).toEqual([{ kind: 'high', price: 15.5, time: 120_000 }]);
  });

  it('looks `reach` candles to each side', () => {
    const prices = candles(10, 14, 12, 13, 12, 11, 15, 10);
    expect(findSwings(prices, 1).filter(({ kind }) => kind === 'high')).toHaveLength(3);
    expect(findSwings(prices, 2).filter(({ kind }) => kind === 'high')).toEqual([]);
  });

  it('ignores the last candles, so later candles never change a swing', () => {
    const all = candles(10, 12, 15, 12, 9, 11, 14, 10, 8, 9, 13, 12, 7, 9, 11);
    for (let known = 1; known < all.length; known++)
      expect(findSwings(all, 2).slice(0, findSwings(all.slice(0, known), 2).length)).toEqual(findSwings(all.slice(0, known), 2));
    expect(findSwings(candles(10, 12, 15, 12), 2)).toEqual([]);
  });
});

describe('findLevels', () => {
  // Highs at 110.5, 110.6 and 130.5, lows at 89.5 and 89.7.
  const market = candles(100, 110, 100, 90, 100, 110.1, 100, 90.2, 100, 130, 120);

  it('joins near swings, counts them and keeps the last time', () => {
    const levels = findLevels(market, { reach: 1, tolerance: 0.005, price: 105 });
    expect(levels.map(({ kind, touches, lastTouch }) => ({ kind, touches, lastTouch }))).toEqual([
      { kind: 'support', touches: 2, lastTouch: 7 * 60_000 },
      { kind: 'resistance', touches: 2, lastTouch: 5 * 60_000 },
      { kind: 'resistance', touches: 1, lastTouch: 9 * 60_000 },
    ]);
    expect(levels.map(({ price }) => price)).toEqual([expect.closeTo(89.6, 6), expect.closeTo(110.55, 6), expect.closeTo(130.5, 6)]);
  });

  it('separates swings beyond the tolerance', () => {
    expect(findLevels(market, { reach: 1, tolerance: 0.0001, price: 105 })).toHaveLength(5);
  });

  it('calls a broken ceiling support, and a broken floor resistance', () => {
    expect(findLevels(market, { reach: 1, tolerance: 0.005, price: 120 }).map(({ kind }) => kind)).toEqual([
      'support',
      'support',
      'resistance',
    ]);
    expect(findLevels(market, { reach: 1, tolerance: 0.005, price: 80 }).map(({ kind }) => kind)).toEqual([
      'resistance',
      'resistance',
      'resistance',
    ]);
  });

  it('does not chain distant prices through near ones', () => {
    const staircase = candles(100, 110, 100, 111, 100, 112, 100, 113, 100, 114, 100, 115, 100);
    const highs = findLevels(staircase, { reach: 1, tolerance: 0.01, price: 105 }).filter(({ kind }) => kind === 'resistance');
    expect(highs.length).toBeGreaterThan(1);
  });

  it('has none without candles', () => {
    expect(findLevels([], { reach: 2, tolerance: 0.01, price: 1 })).toEqual([]);
  });
});
