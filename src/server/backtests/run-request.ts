import type { BacktestResult } from '#contract/bots/backtest.ts';
import type { BotTrade } from '#contract/bots/bot.ts';
import { roundToCents, sumOfCents } from '#domain/bots/bot-amounts.ts';
import { INTERVAL_MS, type Interval } from '#domain/bots/intervals.ts';
import { type Comparison, compareWithHolding } from '../strategy/backtest/compare.ts';
import { usualFunding } from '../strategy/backtest/funding.ts';
import { performanceOf } from '../strategy/backtest/measure.ts';
import { figureRows } from '../strategy/backtest/report.ts';
import { type EquityPoint, runBacktest } from '../strategy/backtest/run-backtest.ts';
import { thin } from '../strategy/backtest/thin.ts';
import type { Trade } from '../strategy/backtest/trades.ts';
import { PERPETUAL } from '../strategy/matching/perpetual.ts';
import { type CandleData, readCandleData } from './candle-data.ts';

/** Points of a curve in a result. */
const MAX_POINTS = 500;
/** Trades in a result. */
const MAX_TRADES = 1000;

/** What a worker thread runs: plain data. */
export interface BacktestRequest {
  interval: Interval;
  /** The candles to trade. Default: those that ship with the server. */
  data?: CandleData;
  /** Start and end of trading, ms UTC, without `to`. Earlier candles only warm the strategy up. */
  from: number;
  to: number;
  /** USD. */
  capital: number;
  leverage: number;
  /** Loss from the highest equity at which the bot stops, in percent; undefined for a bot that never stops. */
  lossLimit?: number;
}

/** There is nothing to trade. The message is for the user. */
export class NothingToTrade extends Error {}

/** Runs a backtest. `onProgress` receives the progress, 0 to 1, after each percent. Throws `NothingToTrade`. */
export function runRequest(request: BacktestRequest, onProgress: (done: number) => void): BacktestResult {
  const { interval: name, from, to, capital, leverage, lossLimit } = request;
  const data = request.data ?? readCandleData(name);
  if (!data) throw new NothingToTrade(`There are no ${name} candles on this server.`);
  const candles = data.candles.filter(({ time }) => time < to);
  if (!candles.some(({ time }) => time >= from)) throw new NothingToTrade('There are no candles for these days.');
  const rules = { ...PERPETUAL, leverage };
  const options = { interval: INTERVAL_MS[name], capital, rules, fundingBetween: usualFunding, from, lossLimit };
  const percent = Math.ceil(candles.length / 100);
  const result = runBacktest(candles, options, (done) => {
    if (done % percent === 0) onProgress(done / candles.length);
  });
  const compared = compareWithHolding(candles, result, options);
  return {
    market: data.market,
    performance: performanceOf(compared.strategy),
    figures: figureRows(compared.strategy, compared.held).map(([label, strategy, held]) => ({ label, strategy, held })),
    ...toCurves(result.equity, compared, capital),
    trades: result.trades.map(toTrade).reverse().slice(0, MAX_TRADES),
    open: result.open ? { side: result.open.side, opened_at: instant(result.open.openedAt) } : null,
    trade_count: result.trades.length,
    trade_profit: sumOfCents(result.trades.map(({ pnl }) => pnl)),
    end: roundToCents(compared.strategy.end),
    stopped_at: result.stoppedAt === undefined ? null : instant(result.stoppedAt),
  };
}

/** Returns both curves from the start of trading on. They have points at the same times. */
function toCurves(equity: readonly EquityPoint[], { strategy, holding }: Comparison, capital: number) {
  const start = { at: strategy.from, equity: capital };
  const toCurve = (points: readonly Pick<EquityPoint, 'at' | 'equity'>[]) =>
    thin([start, ...points], MAX_POINTS).map(({ at, equity: usd }) => ({ at: instant(at), equity: roundToCents(usd) }));
  return { equity: toCurve(equity), held: toCurve(holding) };
}

const toTrade = (trade: Trade, index: number): BotTrade => ({
  id: String(index),
  side: trade.side,
  quantity: trade.quantity,
  entry_price: trade.entry,
  exit_price: trade.exit,
  pnl: roundToCents(trade.pnl),
  fees: roundToCents(trade.fees),
  funding: roundToCents(trade.funding),
  reason: trade.reason,
  opened_at: instant(trade.openedAt),
  closed_at: instant(trade.closedAt),
});

const instant = (at: number): string => new Date(at).toISOString();
