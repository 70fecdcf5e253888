import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { side } from './bot.ts';

/** Trades in one comparison. */
export const MAX_COMPARED = 200;

/**
 * Why a bot and its backtest made different profits. Of a trade of both: entry and exit price, a late entry (delay), fees with funding,
 * and size. Of a trade of the backtest alone: paused, stopped, error, refused, offline, held (the bot had another position), missed. Of
 * a trade of the bot alone: extra. Of either: open (the other one's position is not closed yet). Clients show unknown causes as other.
 */
const part = z.object({
  cause: z.string(),
  /** USD; positive where the bot made more. */
  amount: z.number(),
});

/** Times are ISO 8601 on the feed's clock, prices and amounts in USD. */
const trade = z.object({
  opened_at: z.string(),
  closed_at: z.string(),
  quantity: z.number(),
  entry_price: z.number(),
  exit_price: z.number(),
  pnl: z.number(),
  reason: z.string(),
});

export const comparedTrade = z.object({
  /** When the candle of the entry signal closed. */
  signal_at: z.string(),
  side,
  /** Null for a trade that only the other one made, or has closed. */
  bot: z.nullable(trade),
  backtest: z.nullable(trade),
  /** The bot's profit without the backtest's. The parts add up to it. */
  difference: z.number(),
  parts: z.array(part),
  /** Why only one of the two has the trade; null for a trade of both. */
  text: z.nullable(z.string()),
});
export type ComparedTradeAnswer = z.infer<typeof comparedTrade>;

/** GET /trading-bots/{id}/comparison: a bot's closed trades beside a backtest of the same days with the bot's settings. */
export const botComparison = z.object({
  /** The candles of both. */
  market: z.string(),
  interval: z.string(),
  from: z.string(),
  to: z.string(),
  /** Settings of the backtest: the bot's money at `from` in USD, leverage, and the loss limit in percent. */
  capital: z.number(),
  leverage: z.number(),
  max_drawdown: z.number(),
  bot_profit: z.number(),
  bot_trades: z.number(),
  backtest_profit: z.number(),
  backtest_trades: z.number(),
  /** The bot's profit without the backtest's. The causes add up to it. */
  difference: z.number(),
  /** A larger difference needs a warning, USD. */
  band: z.number(),
  /** Largest amount first. */
  causes: z.array(z.extend(part, { trades: z.number() })),
  /** Newest first, the last 200 of `trade_count`. */
  trades: z.array(comparedTrade),
  trade_count: z.number(),
});
export type BotComparison = z.infer<typeof botComparison>;
export const botComparisonAnswer = answer(botComparison);
