import { doublePrecision, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bots } from './bots.ts';
import { created } from './columns.ts';

/**
 * The paper market's feed. A replay has the timeline feed time = feedAnchor + (clock - clockAnchor) x speed. Each change of its speed
 * adds a row that continues from the current feed time; a change of the feed adds a row that begins at the clock's time.
 */
export const paperFeed = pgTable('paper_feed', {
  /** Increasing; the row with the highest number applies. */
  id: integer('id').primaryKey(),
  kind: text('kind', { enum: ['live', 'replay'] })
    .notNull()
    .default('replay'),
  /** Counts the changes from one feed to another, from 1. */
  epoch: integer('epoch').notNull().default(1),
  /** The last live price, USD, and when the exchange reported it, ms: what positions close at when the feed changes. */
  lastPrice: doublePrecision('last_price'),
  lastPriceAt: doublePrecision('last_price_at'),
  clockAnchor: doublePrecision('clock_anchor').notNull(),
  feedAnchor: doublePrecision('feed_anchor').notNull(),
  speed: doublePrecision('speed').notNull(),
  /** Feed time of the history's first candle. */
  firstCandle: doublePrecision('first_candle').notNull(),
});

/** Accounts of the paper exchange: one per bot, deleted with it. */
export const paperAccounts = pgTable('paper_accounts', {
  botId: uuid('bot_id')
    .primaryKey()
    .references(() => bots.id, { onDelete: 'cascade' }),
  /** Balance, position, open orders (server/strategy/matching BookState). */
  book: jsonb('book').notNull(),
  /** Starting balance, USD. */
  funded: doublePrecision('funded').notNull(),
  /** Time up to which the book is advanced, ms of the feed's time. */
  advancedTo: doublePrecision('advanced_to').notNull(),
  /** Number of fills so far, which is the next fill's place. */
  fills: integer('fills').notNull().default(0),
  createdAt: created(),
});

/** Every order placed on the paper exchange. Like a real exchange, it rejects a repeated client id within an account. */
export const paperOrders = pgTable(
  'paper_orders',
  {
    botId: uuid('bot_id')
      .notNull()
      .references(() => bots.id, { onDelete: 'cascade' }),
    clientId: text('client_id').notNull(),
    order: jsonb('order').notNull(),
  },
  (table) => [primaryKey({ columns: [table.botId, table.clientId] })],
);

export const paperFills = pgTable(
  'paper_fills',
  {
    botId: uuid('bot_id')
      .notNull()
      .references(() => bots.id, { onDelete: 'cascade' }),
    /** Position in the account's sequence of fills. */
    place: integer('place').notNull(),
    /** ms. */
    at: doublePrecision('at').notNull(),
    fill: jsonb('fill').notNull(),
  },
  (table) => [primaryKey({ columns: [table.botId, table.place] }), index('paper_fills_at').on(table.botId, table.at)],
);
