import { isNotNull } from 'drizzle-orm';
import { bigint, doublePrecision, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { created, time } from './columns.ts';
import { users } from './users.ts';

/** The coins on a user's watchlist. */
export const watchedCoins = pgTable(
  'watched_coins',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    coinId: integer('coin_id').notNull(),
    symbol: text('symbol').notNull(),
    name: text('name').notNull(),
    createdAt: created(),
    /** Position in the user's own order, from 0; null until the user orders the list. Coins without one come first. */
    place: integer('place'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.coinId] })],
);

/** Recorded daily prices of coins, for charts where the provider gives no history. USD. */
export const coinDays = pgTable(
  'coin_days',
  {
    coinId: integer('coin_id').notNull(),
    /** YYYY-MM-DD (UTC). */
    day: text('day').notNull(),
    open: doublePrecision('open').notNull(),
    high: doublePrecision('high').notNull(),
    low: doublePrecision('low').notNull(),
    close: doublePrecision('close').notNull(),
  },
  (table) => [primaryKey({ columns: [table.coinId, table.day] }), index('coin_days_day').on(table.day)],
);

/** Answers of the market's provider, which one process asks for all. Also the prices that a tick of the demo market has for all. */
export const marketAnswers = pgTable(
  'market_answers',
  {
    /** Kind and id, such as `coin:1027`. */
    key: text('key').primaryKey(),
    /** JSON; null before the first good answer. */
    value: text('value'),
    /** Rises with each answer, good or bad: all processes take a higher one, and none takes a lower one. */
    version: bigint('version', { mode: 'number' }).notNull().default(0),
    /** Why the last answer is bad; null for a good one. */
    failure: text('failure', { enum: ['unknown', 'failed'] }),
    /** The leader does not ask the provider again before this time. */
    goodUntil: time('good_until').notNull().defaultNow(),
    /** When a process wanted an answer that is due; null once there is one. */
    wantedAt: time('wanted_at'),
    /** The leader that stored the answer. */
    fence: integer('fence').notNull().default(0),
  },
  (table) => [
    index('market_answers_old').on(table.goodUntil),
    index('market_answers_wanted').on(table.wantedAt).where(isNotNull(table.wantedAt)),
  ],
);
