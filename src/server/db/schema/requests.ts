import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { created, time } from './columns.ts';
import { users } from './users.ts';

/** First answer to a command, replayed for a repeated key. Stored in the same transaction as the change. */
export const idempotency = pgTable(
  'idempotency',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    route: text('route').notNull(),
    /** SHA-256 of the request's body. The same key with another body is an error, not a replay. */
    requestHash: text('request_hash').notNull(),
    status: integer('status').notNull(),
    answer: jsonb('answer').notNull(),
    /** SHA-256 of an answer that is too large to store; a replay reads the resource again. Null when `answer` holds it. */
    answerHash: text('answer_hash'),
    createdAt: created(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.key] }),
    index('idempotency_newest').on(table.userId, table.createdAt),
    index('idempotency_created').on(table.createdAt),
  ],
);

/** Counters of budgets (server/budgets), exact and shared by every process on this database. */
export const budgets = pgTable(
  'budgets',
  {
    key: text('key').primaryKey(),
    used: integer('used').notNull(),
    endsAt: time('ends_at').notNull(),
  },
  (table) => [index('budgets_end').on(table.endsAt)],
);

/**
 * Uses of rate limits (server/limits) of all processes, by keyed hashes of limit and key. The migration makes it unlogged: after a
 * crash of PostgreSQL it is empty, and limits start again.
 */
export const limitCounts = pgTable(
  'limit_counts',
  {
    id: uuid('id').primaryKey(),
    used: integer('used').notNull(),
    endsAt: time('ends_at').notNull(),
  },
  (table) => [index('limit_counts_end').on(table.endsAt)],
);
