import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Performance } from '#contract/bots/bot.ts';
import { BACKTEST, BACKTEST_UNSEEN, HELD, HELD_UNSEEN } from '#domain/bots/backtest-figures.ts';
import { HOUR } from '#domain/clock.ts';
import { buyAndHold } from '#server/strategy/backtest/buy-and-hold.ts';
import { readCandles } from '#server/strategy/backtest/candle-file.ts';
import { courseFigures, tradeFigures } from '#server/strategy/backtest/figures.ts';
import { readFunding } from '#server/strategy/backtest/funding.ts';
import { runBacktest } from '#server/strategy/backtest/run-backtest.ts';
import { PERPETUAL } from '#server/strategy/matching/perpetual.ts';

/** Real candles that may not be redistributed. Without this folder, the test is skipped. */
const FOLDER = '/work/shared/data/candles';
const CANDLES = `${FOLDER}/btcusdt_perp_binance_1h.csv.gz`;
const FUNDING = `${FOLDER}/btcusdt_perp_binance_funding_8h.csv`;

/** Returns percent with two decimals. */
const asShown = (fraction: number | null) => ((fraction ?? 0) * 100).toFixed(2);

describe('the figures shown beside the advertised ones', () => {
  it.skipIf(!existsSync(CANDLES))('are the results of the strategy on real candles', { timeout: 180_000 }, () => {
    const candles = readCandles(gunzipSync(readFileSync(CANDLES)).toString());
    const rules = { ...PERPETUAL, leverage: 15 };
    const options = { interval: HOUR, capital: 1000, rules, fundingBetween: readFunding(readFileSync(FUNDING, 'utf8')).between };
    const parts: [Performance, { annual_return: number; max_drawdown: number }][] = [
      [BACKTEST, HELD],
      [BACKTEST_UNSEEN, HELD_UNSEEN],
    ];
    for (const [told, held] of parts) {
      const from = Date.parse(told.from);
      const traded = candles.filter(({ time }) => time >= from);
      const course = { start: options.capital, from: traded[0]?.time ?? 0 };
      const { trades, equity } = runBacktest(candles, { ...options, from });
      const figures = { ...courseFigures(equity, course), ...tradeFigures(trades) };
      expect([course.from, figures.to]).toEqual([from, Date.parse(told.to)]);
      expect(figures.trades).toBe(told.trades);
      expect(figures.totalReturn).toBeCloseTo(told.total_return, 3);
      expect(asShown(figures.cagr)).toBe(asShown(told.annual_return));
      expect(asShown(figures.maxDrawdown)).toBe(asShown(told.max_drawdown));
      expect(asShown(figures.winRate)).toBe(asShown(told.win_rate));
      expect(figures.profitFactor).toBeCloseTo(told.profit_factor ?? 0, 2);
      const holding = buyAndHold(traded, { capital: options.capital, cost: rules.takerFee + rules.slippage, interval: HOUR });
      const bitcoin = courseFigures(holding, course);
      expect(asShown(bitcoin.cagr)).toBe(asShown(held.annual_return));
      expect(asShown(bitcoin.maxDrawdown)).toBe(asShown(held.max_drawdown));
    }
  });
});
