import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { indicator, indicatorLevel } from '../market/indicator.ts';
import { side } from './bot.ts';

/** A trade's place among the candles. Times in ms of the feed's time, prices and profit in USD. */
export const chartTrade = z.object({
  id: z.string(),
  side,
  entry_price: z.number(),
  opened: z.number(),
  /** Null while the trade is open. */
  closed: z.nullable(z.object({ at: z.number(), price: z.number(), pnl: z.number(), reason: z.string() })),
});
export type ChartTrade = z.infer<typeof chartTrade>;

/** GET /trading-bots/{id}/chart: the candles that the bot trades on, the strategy's levels, and the bot's trades on them. */
export const botChart = z.object({
  /** Length of a candle, ms. */
  interval: z.number(),
  /** Oldest first; the last one is still open. Empty for a bot of another exchange. Times in ms of the feed's time. */
  candles: indicator.shape.candles,
  levels: z.array(indicatorLevel),
  /** Oldest first. */
  trades: z.array(chartTrade),
  /**
   * When paper money changed to these prices, ms; null if it never did. Trades on the prices before are left out. Missing in charts
   * that older versions stored.
   */
  prices_began: z.optional(z.nullable(z.number())),
});
export type BotChart = z.infer<typeof botChart>;
export const botChartAnswer = answer(botChart);
