import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { nameText } from '../names.ts';
import { atMost, idText, notEmpty } from '../text.ts';
import { exchangeName } from './exchanges.ts';
import { livePrices, replaySpan } from './paper-prices.ts';

/** Path of the trading-bot service, which may run on its own host (VITE_BOT_API_URL). */
export const BOT_API_PREFIX = '/api/v1';

/** Minimum USD of a bot. */
export const MIN_POSITION_SIZE = 100;
/** Leverage of every bot from the create page. */
export const BOT_LEVERAGE = 15;
/** Loss from a bot's highest equity at which it stops, in percent. */
export const DEFAULT_MAX_DRAWDOWN = 30;
const LEAST_DRAWDOWN = 5;
const MAX_DRAWDOWN = 90;
export const MAX_BOT_NAME = 60;
/** Maximum bots of one user. */
export const MAX_BOTS = 20;
/** The word a user types to confirm real money (`confirm_live`). */
export const LIVE_WORD = 'LIVE';

/** `paused_reason` of a bot that its user paused and can resume. Other reasons end by themselves or elsewhere. */
export const PAUSED_BY_USER = 'Paused by you';

/** `detail.code` of a refused creation. */
export const NOT_REFERRED = 5010;
export const INVALID_KEY = 1818;

/**
 * PROVISIONING: setting key, leverage and margin mode. STOPPING: waiting until the exchange holds no order of ours. ERROR: no longer
 * trading, see `status_reason`. Clients show unknown statuses as they are.
 */
export const BOT_STATUSES = ['PROVISIONING', 'RUNNING', 'STOPPING', 'STOPPED', 'ERROR'] as const;
export type BotStatus = (typeof BOT_STATUSES)[number];

/** What a stop does with an open position: close it at market, or leave it to its stop and target on the exchange. */
export const STOP_MODES = ['close', 'keep'] as const;
export const stopMode = z.enum(STOP_MODES);
export type StopMode = z.infer<typeof stopMode>;

export const side = z.enum(['long', 'short']);
export type Side = z.infer<typeof side>;

/** Prices and amounts in USD, quantities in BTC, times ISO 8601 in UTC. */
export const botPosition = z.object({
  /** Missing in data that older versions stored. */
  id: z.optional(z.string()),
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
  /** Why the bot is in ERROR, otherwise null. */
  status_reason: z.nullable(z.string()),
  /** Why the bot enters no positions, or can't start. Null if nothing prevents it. */
  paused_reason: z.nullable(z.string()),
  /** What a STOPPING bot does with its position. */
  stop_mode: z.optional(z.nullable(stopMode)),
  /** Whether the bot is closing its position at the user's request. It keeps trading afterwards. */
  closing: z.optional(z.boolean()),
  /** USD. */
  position_size: z.number(),
  leverage: z.number(),
  /** Percent of the highest equity. */
  max_drawdown: z._default(z.number(), DEFAULT_MAX_DRAWDOWN),
  created_at: z.string(),
  config: z.object({
    asset: z.literal('BTC'),
    strategy: z.string(),
    interval: z.string(),
    exchange: exchangeName,
    /** True without real money: on the paper exchange or the exchange's test network. */
    paper: z.boolean(),
    /** Speed of a replay relative to real time. Null on any other market. */
    speed: z.nullable(z.number()),
    /** The history that a paper market replays, and the original time of the current price. Null on any other market. */
    replay: z.optional(z.nullable(z.extend(replaySpan, { at: z.string() }))),
    /** The live prices that paper money follows. Null on any other market. */
    live: z.optional(z.nullable(livePrices)),
    /** Always blank, because the server never returns a secret. */
    custom_settings: z.object({ api_key: z.literal(''), secret_key: z.literal('') }),
  }),
  /** Last characters of the key, to identify it. */
  key_hint: z.string(),
  /** When the key expires, as the exchange last reported. Null for never. */
  key_expires_at: z.nullable(z.string()),
  /** The account's fee of a market order, as a share of its value. Null before the exchange told it. */
  taker_fee: z.optional(z.nullable(z.number())),
  /** Value of the bot's money in USD, including the open position. */
  equity: z.number(),
  position: z.nullable(botPosition),
  /** When the exchange last answered. Null before the first answer. */
  last_exchange_at: z.nullable(z.string()),
});
export type Bot = z.infer<typeof bot>;

/** Messages of the create form. */
export const BOT_MESSAGES = {
  name: 'Please enter a name for your trading bot',
  key: 'Please enter your API key',
  secret: 'Please enter your Secret key',
  passphrase: 'Please enter the passphrase of your API key',
  size: 'Please enter your position size',
  drawdown: `Please enter a loss limit from ${LEAST_DRAWDOWN}% to ${MAX_DRAWDOWN}%`,
  smallSize: `Position size must be at least ${MIN_POSITION_SIZE} USD`,
} as const;

export const positionSize = z.string().check(
  atMost(20, 'Only digits'),
  z.trim(),
  notEmpty(BOT_MESSAGES.size),
  z.regex(/^\d{1,9}$/, { error: 'Only digits', abort: true }),
  z.refine((text) => Number(text) >= MIN_POSITION_SIZE, BOT_MESSAGES.smallSize),
);

export const maxDrawdown = z.string().check(
  atMost(20, BOT_MESSAGES.drawdown),
  z.trim(),
  z.regex(/^\d{1,2}$/, { error: BOT_MESSAGES.drawdown, abort: true }),
  z.refine((text) => Number(text) >= LEAST_DRAWDOWN && Number(text) <= MAX_DRAWDOWN, BOT_MESSAGES.drawdown),
);

export const botName = nameText(MAX_BOT_NAME, BOT_MESSAGES.name);

const keyText = z.string().check(atMost(200), z.trim());
const apiKey = keyText.check(notEmpty(BOT_MESSAGES.key));
const secretKey = keyText.check(notEmpty(BOT_MESSAGES.secret));
/** Only some exchanges have one; the server demands it there. */
const passphrase = z.optional(keyText);

type MaybeKey = { api_key?: string | undefined; secret_key?: string | undefined };
/** With optional keys, each half requires the other. */
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

/** Fields of the create form. */
export const botForm = z.object({
  bot_name: botName,
  api_key: apiKey,
  secret_key: secretKey,
  passphrase,
  position_size: positionSize,
  max_drawdown: maxDrawdown,
});
export type BotForm = z.infer<typeof botForm>;

/** The create form at an exchange whose keys have a passphrase. */
export const botFormWithPassphrase = z.extend(botForm, { passphrase: keyText.check(notEmpty(BOT_MESSAGES.passphrase)) });

/** POST /trading-bots. Credentials are at the top level; `liftCredentials` first moves those in `config.custom_settings` there. */
export const createBotBody = z.extend(botForm, {
  leverage: z.int().check(z.minimum(1), z.maximum(BOT_LEVERAGE)),
  max_drawdown: z.optional(maxDrawdown),
  user_id: z.optional(idText),
  config: z.optional(z.object({ asset: z.optional(z.string().check(atMost(20))), custom_settings: z.optional(z.object({})) })),
  /** The word that confirms real money. Required on a real exchange. */
  confirm_live: z.optional(z.string().check(atMost(20))),
});
export type CreateBotBody = z.infer<typeof createBotBody>;

/**
 * PUT /trading-bots/{id}: only given fields change. Position size and leverage need a stopped bot. A key can change at any time,
 * both halves together and within one exchange account.
 */
export const updateBotBody = z
  .object({
    bot_name: z.optional(botName),
    position_size: z.optional(positionSize),
    leverage: z.optional(z.int().check(z.minimum(1), z.maximum(BOT_LEVERAGE))),
    max_drawdown: z.optional(maxDrawdown),
    api_key: z.optional(apiKey),
    secret_key: z.optional(secretKey),
    passphrase,
  })
  .check(...wholeKey);
export type UpdateBotBody = z.infer<typeof updateBotBody>;

/** Fields of the edit dialog. Empty keys stay unchanged. */
export const botEditForm = z
  .object({
    bot_name: botName,
    position_size: positionSize,
    max_drawdown: maxDrawdown,
    api_key: keyText,
    secret_key: keyText,
    passphrase,
  })
  .check(...wholeKey);
export type BotEditForm = z.infer<typeof botEditForm>;

/** POST /trading-bots/{id}/stop. Closes the position by default. */
export const stopBotBody = z._default(z.nullable(z.object({ mode: z._default(stopMode, 'close') })), null);

/** POST /trading-bots/{id}/close: closes the position at market price; the bot keeps trading. With an id, closes only that position. */
export const closeBotBody = z._default(z.nullable(z.object({ position_id: z.optional(idText) })), null);

/** POST /trading-bots/{id}/pause and /resume: stops and allows new entries. The position and its stop stay. */

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
  /** USD after fees and funding. */
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

/** What a bot did after a candle closed, or why it entered no position. */
export const candleDecision = z.object({
  at: z.string(),
  /** Closing price in USD; null for a candle that the server has not seen. */
  price: z.nullable(z.number()),
  /**
   * entered, position, a rule of the strategy (warm-up, trend, direction, no-level, away, lost), skipped by the bot or the exchange,
   * off while the bot did not trade, or missing.
   */
  kind: z.string(),
  text: z.string(),
});
export type CandleDecision = z.infer<typeof candleDecision>;

/** Performance of a strategy. Fractions, not percent: 0.1 is ten percent. */
export const performance = z.object({
  /** ISO 8601. */
  from: z.string(),
  to: z.string(),
  trades: z.number(),
  total_return: z.number(),
  /** Per year. Null for less than 30 days, which allow no estimate. */
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
  /** Newest first, the last 48. Missing in reports that older versions stored. */
  decisions: z.optional(z.array(candleDecision)),
  live: performance,
  /** Backtest of the same strategy on real history with fees and funding. Null if none exists. */
  backtest: z.nullable(z.extend(performance, { name: z.string() })),
});
export type BotReport = z.infer<typeof botReport>;
export const botReportAnswer = answer(botReport);
