import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { nameText } from '../names.ts';
import { atMost, idText, notEmpty } from '../text.ts';
import { exchangeName } from './exchanges.ts';

/** Where the trading-bot service answers; it may stand on a host of its own (VITE_BOT_API_URL). */
export const BOT_API_PREFIX = '/api/v1';

/** USD a bot trades with, at least (spec §5, §9). */
export const MIN_POSITION_SIZE = 100;
/** Leverage of every bot made on the create page (spec §9). */
export const BOT_LEVERAGE = 15;
export const MAX_BOT_NAME = 60;
/** Bots of one user. */
export const MAX_BOTS = 20;
/** What a user types to say that real money is meant (`confirm_live`). */
export const LIVE_WORD = 'LIVE';

/** `paused_reason` of a bot that its user paused, who may resume it; other reasons pass or are mended elsewhere. */
export const PAUSED_BY_USER = 'Paused by you';

/** `detail.code` of a refused creation (spec §8). */
export const NOT_REFERRED = 5010;
export const INVALID_KEY = 1818;

/**
 * PROVISIONING: key, leverage and margin mode are being set. STOPPING: waiting until the exchange holds no order of
 * ours. ERROR: it trades no more, `status_reason` says why. A client shows what it does not know as it comes.
 */
export const BOT_STATUSES = ['PROVISIONING', 'RUNNING', 'STOPPING', 'STOPPED', 'ERROR'] as const;
export type BotStatus = (typeof BOT_STATUSES)[number];

/** What stopping does with an open position: close it at market, or leave it to its stop and target on the exchange. */
export const STOP_MODES = ['close', 'keep'] as const;
export const stopMode = z.enum(STOP_MODES);
export type StopMode = z.infer<typeof stopMode>;

export const side = z.enum(['long', 'short']);
export type Side = z.infer<typeof side>;

/** Prices and amounts in USD, quantities in BTC, times ISO 8601 in UTC. */
export const botPosition = z.object({
  side,
  quantity: z.number(),
  entry_price: z.number(),
  mark_price: z.number(),
  stop_price: z.nullable(z.number()),
  target_price: z.nullable(z.number()),
  liquidation_price: z.number(),
  unrealised_pnl: z.number(),
  opened_at: z.string(),
});
export type BotPosition = z.infer<typeof botPosition>;

export const bot = z.object({
  bot_id: z.string(),
  bot_name: z.string(),
  user_id: z.string(),
  status: z.string(),
  /** Why it is in ERROR; null otherwise. */
  status_reason: z.nullable(z.string()),
  /** Why it opens nothing new although it runs, or why it cannot be started; null where nothing holds it back. */
  paused_reason: z.nullable(z.string()),
  /** USD. */
  position_size: z.number(),
  leverage: z.number(),
  created_at: z.string(),
  config: z.object({
    asset: z.literal('BTC'),
    strategy: z.string(),
    interval: z.string(),
    exchange: exchangeName,
    /** Fake money, on the paper exchange or the exchange's test network. */
    paper: z.boolean(),
    /** How much faster than life the paper market runs; null on a real one. */
    speed: z.nullable(z.number()),
    /** Always blank: a secret goes in and never comes out. */
    custom_settings: z.object({ api_key: z.literal(''), secret_key: z.literal('') }),
  }),
  /** The last characters of the key, to tell keys apart. */
  key_hint: z.string(),
  /** When the key ends, as the exchange last said; null: never. */
  key_expires_at: z.nullable(z.string()),
  /** USD, what the bot's money is worth now, the open position counted. */
  equity: z.number(),
  position: z.nullable(botPosition),
  /** When the exchange last answered; null before the first time. */
  last_exchange_at: z.nullable(z.string()),
});
export type Bot = z.infer<typeof bot>;

/** The create form's own messages (spec §5). */
export const BOT_MESSAGES = {
  name: 'Please enter a name for your trading bot',
  key: 'Please enter your API key',
  secret: 'Please enter your Secret key',
  size: 'Please enter your position size',
  smallSize: `Position size must be at least ${MIN_POSITION_SIZE} USD`,
} as const;

export const positionSize = z.string().check(
  atMost(20, 'Only digits'),
  z.trim(),
  notEmpty(BOT_MESSAGES.size),
  z.regex(/^\d{1,9}$/, { error: 'Only digits', abort: true }),
  z.refine((text) => Number(text) >= MIN_POSITION_SIZE, BOT_MESSAGES.smallSize),
);

export const botName = nameText(MAX_BOT_NAME, BOT_MESSAGES.name);

const keyText = z.string().check(atMost(200), z.trim());
const apiKey = keyText.check(notEmpty(BOT_MESSAGES.key));
const secretKey = keyText.check(notEmpty(BOT_MESSAGES.secret));

type MaybeKey = { api_key?: string | undefined; secret_key?: string | undefined };
/** Where there may be none, one half of a key asks for the other. */
const wholeKey = [
  z.refine<MaybeKey>(({ api_key, secret_key }) => !secret_key || !!api_key, {
    path: ['api_key'],
    error: BOT_MESSAGES.key,
  }),
  z.refine<MaybeKey>(({ api_key, secret_key }) => !api_key || !!secret_key, {
    path: ['secret_key'],
    error: BOT_MESSAGES.secret,
  }),
] as const;

/** The fields of the create form. */
export const botForm = z.object({
  bot_name: botName,
  api_key: apiKey,
  secret_key: secretKey,
  position_size: positionSize,
});
export type BotForm = z.infer<typeof botForm>;

/**
 * POST /trading-bots. Credentials come at the top level; those found inside `config.custom_settings` are lifted out
 * before this is read (`liftCredentials`).
 */
export const createBotBody = z.extend(botForm, {
  leverage: z.int().check(z.minimum(1), z.maximum(BOT_LEVERAGE)),
  user_id: z.optional(idText),
  config: z.optional(z.object({ asset: z.optional(z.string().check(atMost(20))), custom_settings: z.optional(z.object({})) })),
  /** The user's typed word that real money is meant; asked for wherever the exchange is a real one. */
  confirm_live: z.optional(z.string().check(atMost(20))),
});
export type CreateBotBody = z.infer<typeof createBotBody>;

/**
 * PUT /trading-bots/{id}: only what is given changes. Position size and leverage only while the bot is stopped; a key at any
 * time, whole, and of the same exchange account.
 */
export const updateBotBody = z
  .object({
    bot_name: z.optional(botName),
    position_size: z.optional(positionSize),
    leverage: z.optional(z.int().check(z.minimum(1), z.maximum(BOT_LEVERAGE))),
    api_key: z.optional(apiKey),
    secret_key: z.optional(secretKey),
  })
  .check(...wholeKey);
export type UpdateBotBody = z.infer<typeof updateBotBody>;

/** The fields of the dialog that edits a bot; empty keys keep what there is. */
export const botEditForm = z
  .object({ bot_name: botName, position_size: positionSize, api_key: keyText, secret_key: keyText })
  .check(...wholeKey);
export type BotEditForm = z.infer<typeof botEditForm>;

/** POST /trading-bots/{id}/stop. Without a mode the position is closed. */
export const stopBotBody = z._default(z.nullable(z.object({ mode: z._default(stopMode, 'close') })), null);

/** POST /trading-bots/{id}/pause and /resume: no new entries, and entries again. The position and its stop stay. */

export const botAnswer = answer(bot);
export const botsAnswer = answer(z.array(bot));
/** GET /users/{userId}/trading-bots */
export const botListAnswer = answer(z.object({ bots: z.array(bot), total: z.number() }));
export type BotList = z.infer<typeof botListAnswer>['data'];
export const botRemovedAnswer = answer(z.object({ bot_id: z.string() }));

export const botTrade = z.object({
  id: z.string(),
  side,
  quantity: z.number(),
  entry_price: z.number(),
  exit_price: z.number(),
  /** USD, fees and funding taken off. */
  pnl: z.number(),
  fees: z.number(),
  funding: z.number(),
  /** target, stop, liquidation, time, stopped, by hand … */
  reason: z.string(),
  opened_at: z.string(),
  closed_at: z.string(),
});
export type BotTrade = z.infer<typeof botTrade>;

export const botEvent = z.object({
  id: z.string(),
  at: z.string(),
  actor: z.enum(['user', 'engine', 'exchange']),
  kind: z.string(),
  text: z.string(),
});
export type BotEvent = z.infer<typeof botEvent>;

/** What a way of trading came to. Fractions, not percent: 0.1 is ten percent. */
export const performance = z.object({
  /** ISO 8601. */
  from: z.string(),
  to: z.string(),
  trades: z.number(),
  total_return: z.number(),
  /** Per year; null for less than 30 days, from which none can be told. */
  annual_return: z.nullable(z.number()),
  max_drawdown: z.number(),
  win_rate: z.nullable(z.number()),
  profit_factor: z.nullable(z.number()),
});
export type Performance = z.infer<typeof performance>;

/** GET /trading-bots/{id}/report: one bot in full. */
export const botReport = z.object({
  bot,
  /** Oldest first, at most 500 points. */
  equity: z.array(z.object({ at: z.string(), equity: z.number() })),
  /** Newest first, the last 200. */
  trades: z.array(botTrade),
  /** Newest first, the last 200. */
  events: z.array(botEvent),
  live: performance,
  /** The same strategy on real history with fees and funding, run before this version was made; null where there is none. */
  backtest: z.nullable(z.extend(performance, { name: z.string() })),
});
export type BotReport = z.infer<typeof botReport>;
export const botReportAnswer = answer(botReport);
