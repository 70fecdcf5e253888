import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { CHART_PERIODS } from './choices.ts';

/** GET /coin-market/candles/{cryptoId}: daily candles of a coin. Prices in USD, volume in coins. */
export const dailyCandles = z.object({
  /** Shown to the user, e.g. "Binance BTC/USDT spot". */
  source: z.string(),
  /** Oldest first. `time` is the start of the day in ms UTC. Empty without a history. */
  candles: z.array(
    z.object({ time: z.number(), open: z.number(), high: z.number(), low: z.number(), close: z.number(), volume: z.nullable(z.number()) }),
  ),
});
export type DailyCandles = z.infer<typeof dailyCandles>;
export type DailyCandle = DailyCandles['candles'][number];
export const dailyCandlesAnswer = answer(dailyCandles);

export const chartPeriod = z.enum(CHART_PERIODS);
export type ChartPeriod = z.infer<typeof chartPeriod>;

/** GET /coin-market/candles/{cryptoId}?period: without a period, all daily candles. */
export const candlesQuery = z.object({ period: z.optional(chartPeriod) });

/** A coin's candles of a period: hourly up to 7 days, daily beyond. The last one is still open. */
export const chartCandles = z.extend(dailyCandles, {
  /** Length of a candle, ms. */
  interval: z.number(),
  /** True if at least a part is drawn by the demo market. */
  demo: z.boolean(),
  /** When the last candle was up to date, ISO 8601. */
  asOf: z.string(),
  /** True if the provider is unreachable and these are the last candles, from `asOf`. */
  stale: z.optional(z.boolean()),
});
export type ChartCandles = z.infer<typeof chartCandles>;
export const chartCandlesAnswer = answer(chartCandles);
