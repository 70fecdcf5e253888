import { doublePrecision, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bots } from './bots.ts';
import { created } from './columns.ts';

/**
 * Timeline of the paper market's replay: feed time = feedAnchor + (clock - clockAnchor) x speed. Each change of speed
 * adds a row that continues from the current feed time.
 */
export const paperFeed = pgTable('paper_feed', {
  /** Increasing; the row with the highest number applies. */
  id: integer('id').primaryKey(),
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
