import type { BacktestCandles } from '#contract/bots/backtest.ts';
import { INTERVAL_MS, INTERVALS, type Interval } from '#domain/bots/intervals.ts';
import { dayOf, HOUR } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { readBundledCandles } from '../ports/market-data/bundled.ts';
import { resample } from '../strategy/backtest/resample.ts';

/** The candles that ship with the server. */
const SHIPPED = { market: 'Binance BTC/USDT spot', interval: HOUR, read: readBundledCandles };

export interface CandleData {
  market: string;
  /** Oldest first. */
  candles: Candle[];
}

/** Reads the candles of a length; undefined if the shipped candles cannot be combined into that length. */
export function readCandleData(interval: Interval): CandleData | undefined {
  const length = INTERVAL_MS[interval];
  if (length % SHIPPED.interval !== 0) return undefined;
  return { market: SHIPPED.market, candles: resample(SHIPPED.read(), { from: SHIPPED.interval, to: length }) };
}

/** Returns the first and last day of candles of a length. */
function describe(interval: Interval): BacktestCandles {
  const data = readCandleData(interval);
  const [first, last] = [data?.candles[0], data?.candles.at(-1)];
  if (!data || !first || !last) return { interval, market: null, from: null, to: null };
  return { interval, market: data.market, from: dayOf(first.time), to: dayOf(last.time) };
}

let described: BacktestCandles[] | undefined;

/** Returns the days that backtests can trade, for each length that bots trade on. */
export const listCandleData = (): BacktestCandles[] => {
  described ??= INTERVALS.map(describe);
  return described;
};
