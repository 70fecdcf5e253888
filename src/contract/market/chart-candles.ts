import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { CHART_PERIODS } from './choices.ts';
import { dailyCandles } from './market.ts';

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
