import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { atMost } from '../text.ts';
import { BOT_LEVERAGE, botTrade, maxDrawdown, performance, positionSize, side } from './bot.ts';

/** Maximum finished backtests of one user. A further one replaces the oldest. */
export const MAX_BACKTESTS = 20;

/** Messages of the backtest form. */
export const BACKTEST_MESSAGES = {
  interval: 'Please choose a candle length',
  from: 'Please enter the first day',
  to: 'Please enter the last day',
  reversed: 'The last day must not be before the first day',
  leverage: `Please enter a leverage from 1 to ${BOT_LEVERAGE}`,
} as const;

/** A UTC day, such as `2024-01-31`. */
const day = (error: string) =>
  z.string().check(
    atMost(10, error),
    z.regex(/^\d{4}-\d{2}-\d{2}$/, { error, abort: true }),
    // Date.parse turns 30 February into 1 March.
    z.refine((text) => {
      const at = Date.parse(text);
      return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
    }, error),
  );

/** Fields of the backtest form and body of POST /backtests. `from` and `to` are the first and the last traded day, UTC. */
export const backtestForm = z
  .object({
    interval: z.string().check(
      atMost(8),
      z.refine((text) => text !== '', BACKTEST_MESSAGES.interval),
    ),
    from: day(BACKTEST_MESSAGES.from),
    to: day(BACKTEST_MESSAGES.to),
    position_size: positionSize,
    leverage: z.string().check(
      atMost(20, BACKTEST_MESSAGES.leverage),
      z.trim(),
      z.regex(/^\d{1,2}$/, { error: BACKTEST_MESSAGES.leverage, abort: true }),
      z.refine((text) => Number(text) >= 1 && Number(text) <= BOT_LEVERAGE, BACKTEST_MESSAGES.leverage),
    ),
    max_drawdown: maxDrawdown,
  })
  .check(z.refine(({ from, to }) => from <= to, { path: ['to'], error: BACKTEST_MESSAGES.reversed }));
export type BacktestForm = z.infer<typeof backtestForm>;

/** QUEUED: waits for a free thread. Clients show unknown statuses as running. */
export const BACKTEST_STATUSES = ['QUEUED', 'RUNNING', 'DONE', 'FAILED'] as const;
export type BacktestStatus = (typeof BACKTEST_STATUSES)[number];

export const backtest = z.object({
  id: z.string(),
  status: z.string(),
  /** Progress, 0 to 1. */
  progress: z.number(),
  /** Why the backtest failed, otherwise null. */
  reason: z.nullable(z.string()),
  settings: z.object({
    interval: z.string(),
    from: z.string(),
    to: z.string(),
    position_size: z.string(),
    leverage: z.string(),
    max_drawdown: z.string(),
  }),
  created_at: z.string(),
  /** Null until it is done. */
  performance: z.nullable(performance),
});
export type Backtest = z.infer<typeof backtest>;

const curve = z.array(z.object({ at: z.string(), equity: z.number() }));

export const backtestResult = z.object({
  /** Name of the market whose candles were traded. */
  market: z.string(),
  performance,
  /** The figures of `npm run backtest`, as it prints them. */
  figures: z.array(z.object({ label: z.string(), strategy: z.string(), held: z.string() })),
  /** Oldest first, at most 500 points, at the same times: the strategy, and bitcoin bought at the start and held. */
  equity: curve,
  held: curve,
  /** Newest first, the last 1,000. */
  trades: z.array(botTrade),
  /** The position at the end. Missing in results that older versions stored. */
  open: z.optional(z.nullable(z.object({ side, opened_at: z.string() }))),
  /** Number of all trades, and what they earned in whole cents, USD. */
  trade_count: z.number(),
  trade_profit: z.number(),
  /** Value at the end, USD. */
  end: z.number(),
  /** When the loss limit stopped the bot; null if it did not. */
  stopped_at: z.nullable(z.string()),
});
export type BacktestResult = z.infer<typeof backtestResult>;

/** Candles that backtests can trade. `market` and days are null for a length without candles. */
export const backtestCandles = z.object({
  interval: z.string(),
  market: z.nullable(z.string()),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
});
export type BacktestCandles = z.infer<typeof backtestCandles>;

/** GET /backtests: newest first. */
export const backtestList = z.object({ backtests: z.array(backtest), candles: z.array(backtestCandles) });
export type BacktestList = z.infer<typeof backtestList>;
export const backtestListAnswer = answer(backtestList);

/** POST /backtests */
export const backtestAnswer = answer(backtest);

/** GET /backtests/{id}. The result is null until it is done. */
export const backtestReport = z.object({ backtest, result: z.nullable(backtestResult) });
export type BacktestReport = z.infer<typeof backtestReport>;
export const backtestReportAnswer = answer(backtestReport);

/** DELETE /backtests/{id}: also cancels it. */
export const backtestRemovedAnswer = answer(z.object({ id: z.string() }));
