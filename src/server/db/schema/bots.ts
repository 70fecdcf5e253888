import { type SQL, sql } from 'drizzle-orm';
import { boolean, doublePrecision, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { DEFAULT_MAX_DRAWDOWN } from '#contract/bots/bot.ts';
import type { ExchangeName } from '#contract/bots/exchange-names.ts';
import { bytes, created, time } from './columns.ts';
import { users } from './users.ts';

/** Trading bots: settings and current state. The tables below record their activity. */
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
    /** Why a running bot opens no position: the user, a guard, a lapsed plan or the operator paused it. */
    pausedBy: text('paused_by', { enum: ['user', 'guard', 'access', 'operator'] }),
    pausedReason: text('paused_reason'),
    /** What happens to an open position on stop. */
    stopMode: text('stop_mode', { enum: ['close', 'keep'] }),
    /** The position that the user wants closed while the bot goes on, by the order that opened it, and when they asked, ms. */
    closing: jsonb('closing').$type<{ entryId: string; at: number }>(),
    /** USD. */
    positionSize: integer('position_size').notNull(),
    leverage: integer('leverage').notNull(),
    /** Loss from the highest equity at which the bot stops, in percent. */
    maxDrawdown: integer('max_drawdown').notNull().default(DEFAULT_MAX_DRAWDOWN),
    exchange: text('exchange').$type<ExchangeName>().notNull(),
    testnet: boolean('testnet').notNull().default(false),
    /** API key and secret, sealed with AES-256-GCM under SECRETS_KEY. Only the engine opens them. */
    sealedKeys: bytes('sealed_keys').notNull(),
    keyHint: text('key_hint').notNull(),
    /** HMAC of the exchange account under SECRETS_KEY: detects an account in use without revealing it. */
    keyDigest: text('key_digest').notNull(),
    keyCheckedAt: time('key_checked_at'),
    keyExpiresAt: time('key_expires_at'),
    /** Days before the key's expiry at which the last reminder was sent. */
    keyWarnedDays: integer('key_warned_days'),
    /** The account's fee of a market order as a share of its value, as the exchange last told; null if it never did. */
    takerFee: doublePrecision('taker_fee'),
    /** Guard state after the last change: losing streak, daily loss, peak equity and others (server/strategy guards). */
    guards: jsonb('guards').notNull().default({}),
    /** USD, as last read from the exchange. */
    equity: doublePrecision('equity').notNull(),
    /** The open position as last read (ports/exchange ExchangePosition); null when there is none. */
    position: jsonb('position'),
    /** Opening time of the last processed candle, ms of the feed's time. */
    handledCandle: doublePrecision('handled_candle'),
    /** Time up to which the exchange's fills are recorded, ms. */
    fillsSeenTo: doublePrecision('fills_seen_to').notNull().default(0),
    lastExchangeAt: time('last_exchange_at'),
    /** Failed cycles since the last good one, when the next cycle is due, and since when the exchange refuses the key. */
    failures: integer('failures').notNull().default(0),
    retryAt: time('retry_at'),
    refusedSince: time('refused_since'),
    /** When the user last heard that the bot is in ERROR and holds a position. */
    remindedAt: time('reminded_at'),
    /** Lease: worker, expiry and fencing token. Each new lease raises the token, and writes with an older one are rejected. */
    leaseOwner: text('lease_owner'),
    leaseUntil: time('lease_until'),
    fence: integer('fence').notNull().default(0),
    createdAt: created(),
  },
  (table) => [
    index('bots_user').on(table.userId, table.createdAt),
    index('bots_status').on(table.status),
    index('bots_key').on(table.keyDigest),
    index('bots_at_work').on(table.id).where(sql`status <> 'STOPPED' or position is not null or closing is not null`),
  ],
);

/** Bots that are not at rest. The condition of the index `bots_at_work`, which holds no row of the others. */
export const isAtWork: SQL = sql`(${bots.status} <> 'STOPPED' or ${bots.position} is not null or ${bots.closing} is not null)`;

/** Every order that a bot intends to send, stored before it is sent. */
export const botOrders = pgTable(
  'bot_orders',
  {
    /** Client order id, derived from bot, candle and purpose, so that the same intent always has the same id. */
    clientId: text('client_id').primaryKey(),
    botId: uuid('bot_id')
      .notNull()
      .references(() => bots.id, { onDelete: 'cascade' }),
    purpose: text('purpose', { enum: ['entry', 'close', 'target', 'stop'] }).notNull(),
    /** Candle that caused the order, ms of the feed's time; null for orders by a user or a guard. */
    candle: doublePrecision('candle'),
    direction: text('direction', { enum: ['buy', 'sell'] }).notNull(),
    quantity: doublePrecision('quantity').notNull(),
    stop: doublePrecision('stop'),
    target: doublePrecision('target'),
    /** intended: unknown whether it was sent. The engine looks it up before anything else. */
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

/** Deleted bots. Their users still see the trades. */
export const deletedBots = pgTable(
  'deleted_bots',
  {
    /** The bot's id. */
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    exchange: text('exchange').$type<ExchangeName>().notNull(),
    testnet: boolean('testnet').notNull(),
    /** USD. */
    positionSize: integer('position_size').notNull(),
    createdAt: time('created_at').notNull(),
    deletedAt: time('deleted_at').notNull(),
  },
  (table) => [index('deleted_bots_user').on(table.userId, table.deletedAt)],
);

/** Positions from open to close. They stay after their bot is deleted. */
export const botTrades = pgTable(
  'bot_trades',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** In `bots` or `deletedBots`. */
    botId: uuid('bot_id').notNull(),
    /** The opening order. */
    entryId: text('entry_id').notNull(),
    side: text('side', { enum: ['long', 'short'] }).notNull(),
    quantity: doublePrecision('quantity').notNull(),
    entryPrice: doublePrecision('entry_price').notNull(),
    exitPrice: doublePrecision('exit_price'),
    /** USD, net of fees and funding. */
    pnl: doublePrecision('pnl').notNull().default(0),
    fees: doublePrecision('fees').notNull().default(0),
    funding: doublePrecision('funding').notNull().default(0),
    reason: text('reason'),
    openedAt: time('opened_at').notNull(),
    /** Null while the position is open. */
    closedAt: time('closed_at'),
    /** The same times on the feed's clock, ms. Null in trades of earlier versions. */
    feedOpened: doublePrecision('feed_opened'),
    feedClosed: doublePrecision('feed_closed'),
  },
  (table) => [
    uniqueIndex('bot_trades_entry').on(table.entryId),
    index('bot_trades_bot').on(table.botId, table.openedAt),
    index('bot_trades_user').on(table.userId),
    index('bot_trades_unexplained').on(table.botId, table.closedAt).where(sql`reason = 'unexplained'`),
  ],
);

/** Events by user, engine and exchange, as text for the user. Append-only. */
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
    /** Dedupes an event that may be reported twice; unique within the bot. */
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
