import { doublePrecision, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { created } from './columns.ts';
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
  (table) => [primaryKey({ columns: [table.coinId, table.day] })],
);
