import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { atMost, idText } from '../text.ts';
import { botTrade } from './bot.ts';
import { exchangeName } from './exchanges.ts';

/** Columns by which a bot's trades can be sorted. */
export const TRADE_COLUMNS = [
  'closed_at',
  'side',
  'quantity',
  'entry_price',
  'exit_price',
  'pnl',
  'fees',
  'funding',
  'reason',
  'opened_at',
] as const;
export type TradeColumn = (typeof TRADE_COLUMNS)[number];

/** Trades in one answer. */
export const TRADES_PER_PAGE = 50;

const offset = z.pipe(
  z.string().check(atMost(7), z.regex(/^\d{1,7}$/)),
  z.transform((text) => Number(text)),
);

/** GET /trading-bots/{id}/trades: closed trades, newest first by default. `offset`: how many to skip. */
export const botTradesQuery = z.object({
  user_id: z.optional(idText),
  sort: z._default(z.enum(TRADE_COLUMNS), 'closed_at'),
  order: z._default(z.enum(['asc', 'desc']), 'desc'),
  offset: z._default(offset, 0),
});
export type BotTradesQuery = z.infer<typeof botTradesQuery>;

export const botTrades = z.object({
  trades: z.array(botTrade),
  /** Closed trades of the bot, on all pages. */
  total: z.number(),
});
export type BotTrades = z.infer<typeof botTrades>;
export const botTradesAnswer = answer(botTrades);

/** GET /trading-bots/{id}/trades.csv: all closed trades, oldest first. */

/** Profit of a day's closed trades, USD. `day` is a UTC day, such as `2026-03-01`. */
export const dayProfit = z.object({ day: z.string(), profit: z.number(), trades: z.number() });
export type DayProfit = z.infer<typeof dayProfit>;

/** GET /trading-bots/{id}/profits: the days with closed trades, newest first. Profits are sums of the trades' rounded profits. */
export const botProfits = z.object({ days: z.array(dayProfit) });
export type BotProfits = z.infer<typeof botProfits>;
export const botProfitsAnswer = answer(botProfits);

/** A deleted bot. Its trades are kept. */
export const deletedBot = z.object({
  bot_id: z.string(),
  bot_name: z.string(),
  exchange: exchangeName,
  /** True without real money. */
  paper: z.boolean(),
  /** USD. */
  position_size: z.number(),
  created_at: z.string(),
  deleted_at: z.string(),
});
export type DeletedBot = z.infer<typeof deletedBot>;

/** GET /trading-bots/deleted: the user's deleted bots with trades, most recently deleted first, at most 200. */
export const deletedBotsAnswer = answer(z.array(deletedBot));
