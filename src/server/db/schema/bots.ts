import { boolean, doublePrecision, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { ExchangeName } from '#contract/bots/exchanges.ts';
import { bytes, created, time } from './columns.ts';
import { users } from './users.ts';

/** Trading bots. What they are told stands here; what they did stands in the tables below. */
export const bots = pgTable(
  'bots',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    status: text('status', { enum: ['PROVISIONING', 'RUNNING', 'STOPPING', 'STOPPED', 'ERROR'] }).notNull(),
    statusReason: text('status_reason'),
    /** Why nothing new is opened although it runs: by the user, a guard, a lapsed plan. */
    pausedBy: text('paused_by', { enum: ['user', 'guard', 'access', 'operator'] }),
    pausedReason: text('paused_reason'),
    /** What STOPPING does with an open position. */
    stopMode: text('stop_mode', { enum: ['close', 'keep'] }),
    /** USD. */
    positionSize: integer('position_size').notNull(),
    leverage: integer('leverage').notNull(),
    exchange: text('exchange').$type<ExchangeName>().notNull(),
    testnet: boolean('testnet').notNull().default(false),
    /** Key and secret, sealed with AES-256-GCM under SECRETS_KEY; opened by the engine alone. */
    sealedKeys: bytes('sealed_keys').notNull(),
    keyHint: text('key_hint').notNull(),
    /** Tells an exchange account that is in use already, without telling which: HMAC under SECRETS_KEY. */
    keyDigest: text('key_digest').notNull(),
    keyCheckedAt: time('key_checked_at'),
    keyExpiresAt: time('key_expires_at'),
    /** Days before the key's end at which its owner was last told. */
    keyWarnedDays: integer('key_warned_days'),
    /** Losing streak, day's loss, peak of equity … (server/strategy guards), as they were after the last change. */
    guards: jsonb('guards').notNull().default({}),
    /** USD, as last seen at the exchange. */
    equity: doublePrecision('equity').notNull(),
    /** The open position as last seen (ports/exchange ExchangePosition); null without one. */
    position: jsonb('position'),
    /** Opening time of the last candle that was acted on, ms of the feed's time. */
    handledCandle: doublePrecision('handled_candle'),
    /** Up to where the exchange's fills were written down, ms. */
    fillsSeenTo: doublePrecision('fills_seen_to').notNull().default(0),
    lastExchangeAt: time('last_exchange_at'),
    /** Who works on it, until when, and the token that each new holder raises: a write under an older one is refused. */
    leaseOwner: text('lease_owner'),
    leaseUntil: time('lease_until'),
    fence: integer('fence').notNull().default(0),
    createdAt: created(),
  },
  (table) => [
    index('bots_user').on(table.userId, table.createdAt),
    index('bots_status').on(table.status),
    index('bots_key').on(table.keyDigest),
  ],
);

/** Every order a bot meant to send, written before it is sent. */
export const botOrders = pgTable(
  'bot_orders',
  {
    /** The client order id: made from bot, candle and purpose, so that the same intent has the same one. */
    clientId: text('client_id').primaryKey(),
    botId: uuid('bot_id')
      .notNull()
      .references(() => bots.id, { onDelete: 'cascade' }),
    purpose: text('purpose', { enum: ['entry', 'close', 'target', 'stop'] }).notNull(),
    /** The candle it follows from, ms of the feed's time; null for what a user or a guard asked for. */
    candle: doublePrecision('candle'),
    direction: text('direction', { enum: ['buy', 'sell'] }).notNull(),
    quantity: doublePrecision('quantity').notNull(),
    stop: doublePrecision('stop'),
    target: doublePrecision('target'),
    /** intended: nobody knows whether it was sent; it is looked up before anything else is done. */
    state: text('state', { enum: ['intended', 'accepted', 'filled', 'cancelled', 'rejected'] }).notNull(),
    exchangeId: text('exchange_id'),
    price: doublePrecision('price'),
    filled: doublePrecision('filled').notNull().default(0),
    reason: text('reason'),
    fence: integer('fence').notNull(),
    createdAt: created(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (table) => [index('bot_orders_bot').on(table.botId, table.createdAt), index('bot_orders_state').on(table.state)],
);

/** Positions from opening to close. */
export const botTrades = pgTable(
  'bot_trades',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    botId: uuid('bot_id')
      .notNull()
      .references(() => bots.id, { onDelete: 'cascade' }),
    /** The order that opened it. */
    entryId: text('entry_id').notNull(),
    side: text('side', { enum: ['long', 'short'] }).notNull(),
    quantity: doublePrecision('quantity').notNull(),
    entryPrice: doublePrecision('entry_price').notNull(),
    exitPrice: doublePrecision('exit_price'),
    /** USD; fees and funding taken off. */
    pnl: doublePrecision('pnl').notNull().default(0),
    fees: doublePrecision('fees').notNull().default(0),
    funding: doublePrecision('funding').notNull().default(0),
    reason: text('reason'),
    openedAt: time('opened_at').notNull(),
    /** Null while it is open. */
    closedAt: time('closed_at'),
  },
  (table) => [uniqueIndex('bot_trades_entry').on(table.entryId), index('bot_trades_bot').on(table.botId, table.openedAt)],
);

/** What user, engine and exchange did, in words for the user. Only ever added to. */
export const botEvents = pgTable(
  'bot_events',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    botId: uuid('bot_id')
      .notNull()
      .references(() => bots.id, { onDelete: 'cascade' }),
    actor: text('actor', { enum: ['user', 'engine', 'exchange'] }).notNull(),
    kind: text('kind').notNull(),
    text: text('text').notNull(),
    /** Makes one that may be told twice stand once; unique within the bot. */
    key: text('key'),
    createdAt: created(),
  },
  (table) => [index('bot_events_bot').on(table.botId, table.createdAt), uniqueIndex('bot_events_key').on(table.botId, table.key)],
);

/** A bot's equity over time. */
export const botEquity = pgTable(
  'bot_equity',
  {
    botId: uuid('bot_id')
      .notNull()
      .references(() => bots.id, { onDelete: 'cascade' }),
    at: time('at').notNull(),
    equity: doublePrecision('equity').notNull(),
  },
  (table) => [primaryKey({ columns: [table.botId, table.at] })],
);

/** The signal of each closed candle, computed once for all bots. */
export const botSignals = pgTable('bot_signals', {
  /** Opening time of the candle, ms of the feed's time. */
  candle: doublePrecision('candle').primaryKey(),
  signal: jsonb('signal').notNull(),
  createdAt: created(),
});
