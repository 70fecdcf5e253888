import { describe, expect, it } from 'vitest';
import { HOUR } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { readBundledCandles } from '#server/ports/market-data/bundled.ts';
import { usualFunding } from '#server/strategy/backtest/funding.ts';
import { runBacktest } from '#server/strategy/backtest/run-backtest.ts';
import { walkForward } from '#server/strategy/backtest/walk-forward.ts';
import { PERPETUAL } from '#server/strategy/matching/perpetual.ts';

const candles = readBundledCandles().slice(0, 4000);
const options = { interval: HOUR, capital: 1000, rules: { ...PERPETUAL, leverage: 15 }, fundingBetween: usualFunding };
const whole = runBacktest(candles, options);

describe('a backtest', () => {
  it('has one point of equity per candle, at its close', () => {
    expect(whole.equity.map(({ at }) => at)).toEqual(candles.map(({ time }) => time + HOUR));
  });

  it('trades both sides, one position at a time', () => {
    expect(whole.trades.length).toBeGreaterThan(15);
    expect(new Set(whole.trades.map(({ side }) => side)).size).toBe(2);
    whole.trades.forEach(({ openedAt, closedAt }, index) => {
      expect(closedAt).toBeGreaterThanOrEqual(openedAt);
      expect(openedAt).toBeGreaterThanOrEqual(whole.trades[index - 1]?.closedAt ?? 0);
    });
  });

  it("enters at a candle's open with slippage", () => {
    const opens = new Map(candles.map(({ time, open }) => [time, open]));
    for (const { openedAt, entry, side } of whole.trades) {
      const open = opens.get(openedAt) ?? Number.NaN;
      expect(Math.abs(entry - open * (side === 'long' ? 1.0002 : 0.9998))).toBeLessThan(0.2);
    }
  });

  it('accounts for every cent: trades add up to the equity', () => {
    const flat = whole.equity.findLastIndex(({ exposed }) => !exposed);
    const { at = 0, equity = 0 } = whole.equity[flat] ?? {};
    const made = whole.trades.filter(({ closedAt }) => closedAt < at).reduce((sum, { pnl }) => sum + pnl, 0);
    expect(equity).toBeCloseTo(1000 + made, 6);
    for (const { side, entry, exit, quantity, pnl, fees, funding } of whole.trades) {
      const gross = (side === 'long' ? 1 : -1) * (exit - entry) * quantity;
      expect(pnl).toBeCloseTo(gross - fees + funding, 2);
      expect(fees).toBeGreaterThan(0);
    }
  });

  it('loses at most 2% of the equity per trade', () => {
    for (const { pnl, openedAt } of whole.trades) {
      const before = whole.equity.findLast(({ at }) => at <= openedAt)?.equity ?? 1000;
      // 1.5% at the stop, and a gap beyond it.
      expect(pnl).toBeGreaterThan(-0.02 * before);
    }
  });

  it('does not depend on later candles', () => {
    const future = candles.slice(2500).map(({ time, open, high, low, close, volume }): Candle => {
      const scale = 1 + Math.sin(time);
      return { time, open: open + scale, high: high * 1.3 + scale, low: low * 0.7, close: close * 1.1, volume };
    });
    const other = runBacktest([...candles.slice(0, 2500), ...future], options);
    expect(other.equity.slice(0, 2500)).toEqual(whole.equity.slice(0, 2500));
    const end = candles[2500]?.time ?? 0;
    const before = ({ closedAt }: { closedAt: number }) => closedAt < end;
    expect(other.trades.filter(before)).toEqual(whole.trades.filter(before));
    expect(other.trades).not.toEqual(whole.trades);
  });

  it('does not trade before the start time', () => {
    const from = candles[2000]?.time ?? 0;
    const late = runBacktest(candles, { ...options, from });
    expect(late.equity[0]?.at).toBe(from + HOUR);
    expect(late.trades.every(({ openedAt }) => openedAt >= from)).toBe(true);
    expect(late.trades.length).toBeGreaterThan(5);
  });

  it('pays funding during missing candles too', () => {
    const { openedAt = 0, closedAt = 0 } = whole.trades.find((trade) => trade.closedAt - trade.openedAt > 30 * HOUR) ?? {};
    const end = openedAt + 30 * HOUR;
    const torn = candles.filter(({ time }) => time <= openedAt + HOUR || time >= end);
    // Due in the gap alone.
    const fundingBetween = (from: number, to: number) => (from < end && to > openedAt + 2 * HOUR ? 0.001 : 0);
    const [paid] = runBacktest(torn, { ...options, fundingBetween }).trades.filter((trade) => trade.openedAt === openedAt);
    expect(closedAt).toBeGreaterThan(end);
    expect(Math.abs(paid?.funding ?? 0)).toBeCloseTo(0.001 * (paid?.quantity ?? 0) * (paid?.entry ?? 0), 0);
    expect(paid?.funding).not.toBe(0);
  });

  it("pays the market's funding rates", () => {
    const free = runBacktest(candles, { ...options, fundingBetween: () => 0, rules: { ...options.rules, takerFee: 0, slippage: 0 } });
    expect(free.equity.at(-1)?.equity).toBeGreaterThan(whole.equity.at(-1)?.equity ?? 0);
  });
});

describe('walk-forward', () => {
  it('trades only years that its fits have not seen', () => {
    const part = candles.slice(0, 1200);
    const { folds, equity, trades } = walkForward(part, options);
    const half = part[600]?.time ?? 0;
    expect(folds.map(({ from }) => from)).toEqual([half]);
    expect(equity[0]?.at).toBe(half + HOUR);
    expect(equity.at(-1)?.at).toBe((part.at(-1)?.time ?? 0) + HOUR);
    expect(trades.every(({ openedAt }) => openedAt >= half)).toBe(true);
    const changed = part.map((candle, index) => (index < 600 ? candle : { ...candle, close: candle.low, open: candle.high }));
    expect(walkForward(changed, options).folds[0]?.tuning).toEqual(folds[0]?.tuning);
  });
});
