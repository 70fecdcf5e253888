import { doublePrecision, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bots } from './bots.ts';
import { created } from './columns.ts';

/**
 * How the paper market's replay has run: from `feedAnchor` on, feed time = feedAnchor + (clock - clockAnchor) x speed.
 * A row is added whenever the speed changes, and goes on from where the feed stood.
 */
export const paperFeed = pgTable('paper_feed', {
  /** Counted up; the highest one holds. */
  id: integer('id').primaryKey(),
  clockAnchor: doublePrecision('clock_anchor').notNull(),
  feedAnchor: doublePrecision('feed_anchor').notNull(),
  speed: doublePrecision('speed').notNull(),
  /** Feed time at which the first candle of the history stands. */
  firstCandle: doublePrecision('first_candle').notNull(),
});

/** The paper exchange's own books: one account a bot, and gone with it. */
export const paperAccounts = pgTable('paper_accounts', {
  botId: uuid('bot_id')
    .primaryKey()
    .references(() => bots.id, { onDelete: 'cascade' }),
  /** Balance, position, open orders (server/strategy/matching BookState). */
  book: jsonb('book').notNull(),
  /** USD it was given. */
  funded: doublePrecision('funded').notNull(),
  /** Up to where the book was advanced, ms of the feed's time. */
  advancedTo: doublePrecision('advanced_to').notNull(),
  /** How many fills it has had; the next one's place. */
  fills: integer('fills').notNull().default(0),
  createdAt: created(),
});

/** Every order the paper exchange was given; a client id twice in one account is refused, as on a real one. */
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
    /** Its place in the account's own order of fills. */
    place: integer('place').notNull(),
    /** ms. */
    at: doublePrecision('at').notNull(),
    fill: jsonb('fill').notNull(),
  },
  (table) => [primaryKey({ columns: [table.botId, table.place] }), index('paper_fills_at').on(table.botId, table.at)],
);
