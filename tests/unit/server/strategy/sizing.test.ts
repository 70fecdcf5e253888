import { describe, expect, it } from 'vitest';
import { floorTo, roundTo, sizePosition, stopIsInside, stopIsSafe } from '#server/strategy/sizing.ts';

const means = { equity: 10_000, balance: 10_000, leverage: 15, price: 50_000, stop: 49_000, step: 0.001, least: 0.001, takerFee: 0.00055 };
/** Returns the loss of an entry at the price and an exit at the stop, costs included. */
const lossOf = (quantity: number, { price, stop }: typeof means) => quantity * (Math.abs(price - stop) + 2 * 0.00075 * price);

describe('the size of a position', () => {
  it('loses at most 1.5% of the equity at its stop, costs included, on either side', () => {
    for (const stop of [49_000, 51_000, 49_900, 47_500]) {
      const quantity = sizePosition({ ...means, stop });
      const loss = lossOf(quantity, { ...means, stop });
      expect(loss).toBeLessThanOrEqual(150);
      expect(loss).toBeGreaterThan(140);
    }
  });

  it('comes in whole steps', () => {
    expect(sizePosition(means)).toBe(0.139);
    expect(sizePosition({ ...means, takerFee: 0.0011 })).toBe(0.132);
  });

  it('stays within what the margin can carry', () => {
    const near = { ...means, stop: 49_990, leverage: 2 };
    expect(sizePosition(near)).toBeLessThan((2 * 10_000) / 50_000);
    expect(sizePosition({ ...near, balance: 1000 })).toBeLessThan((2 * 1000) / 50_000);
  });

  it('is the smallest order if that risks at most 4%, and otherwise zero', () => {
    expect(sizePosition({ ...means, equity: 100, balance: 100, stop: 49_000 })).toBe(0.001);
    expect(sizePosition({ ...means, equity: 100, balance: 100, stop: 45_000 })).toBe(0);
    expect(sizePosition({ ...means, equity: 100, balance: 100, leverage: 0.1 })).toBe(0);
  });

  it.each([
    ['no distance to the stop', { stop: 50_000 }],
    ['no equity', { equity: 0 }],
    ['lost more than there was', { equity: -5 }],
    ['nothing free', { balance: 0 }],
  ])('is none with %s', (_, changes) => {
    expect(sizePosition({ ...means, ...changes })).toBe(0);
  });
});

describe('a stop', () => {
  it('is inside the liquidation price with a buffer', () => {
    // At 15× the margin is used up 6.2% away.
    expect(stopIsInside(50_000, 50_000 * 0.952, 15, 0.005)).toBe(true);
    expect(stopIsInside(50_000, 50_000 * 0.948, 15, 0.005)).toBe(false);
    expect(stopIsInside(50_000, 50_000 * 1.048, 15, 0.005)).toBe(true);
    expect(stopIsInside(50_000, 50_000 * 1.052, 15, 0.005)).toBe(false);
    expect(stopIsInside(50_000, 50_000 * 0.7, 2, 0.005)).toBe(true);
  });
});

describe('steps', () => {
  it('are whole, without floating-point noise', () => {
    expect(floorTo(0.0079999, 0.001)).toBe(0.007);
    expect(floorTo(0.3, 0.1)).toBe(0.3);
    expect(floorTo(17, 5)).toBe(15);
    expect(roundTo(84_123.14, 0.1)).toBe(84_123.1);
    expect(roundTo(0.125, 0.01)).toBe(0.13);
  });
});

describe('the stop of an open position', () => {
  it.each([
    ['long', 98_000, 93_000, true],
    ['long', 98_000, 97_900, false],
    ['long', 98_000, 98_500, false],
    ['long', 101_000, 98_500, true],
    ['long', 98_000, 0, true],
    ['short', 102_000, 107_000, true],
    ['short', 102_000, 102_100, false],
    ['short', 102_000, 0, true],
  ] as const)('%s, stop at %d, liquidation at %d: safe is %s', (side, stop, liquidationPrice, safe) => {
    expect(stopIsSafe({ side, entryPrice: 100_000, stop, liquidationPrice })).toBe(safe);
  });
});
