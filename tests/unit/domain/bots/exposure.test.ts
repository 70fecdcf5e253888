import { describe, expect, it } from 'vitest';
import { BACKTESTS } from '#domain/bots/backtest-figures.ts';
import { exposureOf, exposureReason, RISK_PER_TRADE, usualExposure } from '#domain/bots/exposure.ts';
import { TAKER_FEE, wayCost } from '#domain/bots/position-rules.ts';
import { sizePosition } from '#server/strategy/sizing.ts';

describe('the exposure of a bot', () => {
  it('is the value of its position in multiples of its money', () => {
    expect(exposureOf({ quantity: 0.02, mark_price: 60_000 }, 1000)).toBe(1.2);
    expect([exposureOf(null, 1000), exposureOf({ quantity: 1, mark_price: 60_000 }, 0)]).toEqual([0, 0]);
  });

  it('follows from the risk at the stop, whatever the leverage is', () => {
    const price = 100_000;
    const money = { equity: 100_000, balance: 100_000, price, step: 0.001, least: 0.001, takerFee: TAKER_FEE };
    const multiple = (distance: number, leverage: number) =>
      exposureOf({ quantity: sizePosition({ ...money, leverage, stop: price * (1 - distance) }), mark_price: price }, money.equity);
    for (const leverage of [5, 15]) expect(multiple(0.02, leverage)).toBeCloseTo(RISK_PER_TRADE / (0.02 + 2 * wayCost(TAKER_FEE)), 2);
    expect(multiple(0.0001, 5)).toBeCloseTo(4.5, 1);
  });

  it('is explained with the measured multiples', () => {
    const { low, high } = BACKTESTS.intervals['1h']?.exposure ?? { low: 0, high: 0 };
    expect(low).toBeGreaterThan(0);
    expect(usualExposure('1h')).toBe(`${low} to ${high}`);
    expect(exposureReason(15, '1h')).toBe(
      `A trade risks about 1.5% of the bot's money at its stop, so positions are usually ${low} to ${high} times that money. 15x is the ceiling.`,
    );
  });

  it('has no multiples for candles that were not measured', () => {
    expect(usualExposure('15m')).toBeUndefined();
    expect(exposureReason(10, '15m')).toBe(
      "A trade risks about 1.5% of the bot's money at its stop, so positions are usually smaller than the leverage allows. 10x is the ceiling.",
    );
  });
});
