import { sql } from 'drizzle-orm';
import { doublePrecision, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { BACKTEST_STATUSES, type BacktestForm, type BacktestResult } from '#contract/bots/backtest.ts';
import { created, time } from './columns.ts';
import { users } from './users.ts';

/** Backtests of users, with their results. */
export const backtests = pgTable(
  'backtests',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    status: text('status', { enum: BACKTEST_STATUSES }).notNull(),
    settings: jsonb('settings').$type<BacktestForm>().notNull(),
    /** Progress, 0 to 1. */
    progress: doublePrecision('progress').notNull().default(0),
    result: jsonb('result').$type<BacktestResult>(),
    /** Why it failed, for the user. */
    reason: text('reason'),
    /** The process that runs it, and its last heartbeat by the database's clock. */
    owner: text('owner').notNull(),
    beatAt: time('beat_at').notNull().defaultNow(),
    createdAt: created(),
  },
  (table) => [
    index('backtests_user').on(table.userId, table.createdAt),
    // One at a time per user, over all processes.
    uniqueIndex('backtests_active').on(table.userId).where(sql`status in ('QUEUED', 'RUNNING')`),
  ],
);
