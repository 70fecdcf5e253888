import { expect, it } from 'vitest';
import { DAY, HOUR } from '#domain/clock.ts';
import { readBundledCandles } from '#server/ports/market-data/bundled.ts';
import { runControl } from '#server/strategy/backtest/control.ts';
import { usualFunding } from '#server/strategy/backtest/funding.ts';
import { runBacktest } from '#server/strategy/backtest/run-backtest.ts';
import { PERPETUAL } from '#server/strategy/matching/perpetual.ts';
import { parametersFor } from '#server/strategy/parameters.ts';
import { createStrategy } from '#server/strategy/strategy.ts';

const candles = readBundledCandles().slice(0, 4000);
const options = { interval: HOUR, capital: 1000, rules: { ...PERPETUAL, leverage: 15 }, fundingBetween: usualFunding };
const run = (seed: number, runs = 8) => runControl(candles, { ...options, runs, seed });

it('enters about as often as the strategy, along the trend, and closes for the same reasons', () => {
  const real = runBacktest(candles, options);
  const controls = run(1);
  const mean = controls.reduce((sum, { trades }) => sum + trades.length, 0) / controls.length;
  expect(real.trades.length).toBeGreaterThan(10);
  expect(mean / real.trades.length).toBeGreaterThan(0.6);
  expect(mean / real.trades.length).toBeLessThan(1.5);

  const strategy = createStrategy(parametersFor(HOUR));
  const trends = new Map(candles.map((candle) => [candle.time + HOUR, strategy.next(candle).trend]));
  const reasons = new Set(['stop', 'target', 'trend', 'time']);
  for (const { openedAt, closedAt, side, reason } of controls.flatMap(({ trades }) => trades)) {
    expect(trends.get(openedAt)).toBe(side === 'long' ? 'up' : 'down');
    expect(closedAt - openedAt).toBeLessThanOrEqual(20 * DAY + HOUR);
    expect(reasons).toContain(reason);
  }
});

it('enters at other times in each run, and at the same times under the same seed', () => {
  const times = (seed: number) => run(seed, 2).map(({ trades }) => trades.map(({ openedAt }) => openedAt));
  const [first, second] = times(5);
  expect(first).not.toEqual(second);
  expect(times(5)).toEqual([first, second]);
  expect(times(6)).not.toContainEqual(first);
  expect(times(6)).not.toContainEqual(second);
});

it('enters nothing before the strategy has warmed up', () => {
  const earliest = Math.min(...run(1).flatMap(({ trades }) => trades.map(({ openedAt }) => openedAt)));
  expect(earliest).toBeGreaterThanOrEqual((candles[0]?.time ?? 0) + 10 * DAY);
});
