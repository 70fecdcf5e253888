import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { created, time } from './columns.ts';
import { users } from './users.ts';

/** The first answer to a command, replayed to whoever sends the same key again. Written with the change itself. */
export const idempotency = pgTable(
  'idempotency',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    route: text('route').notNull(),
    /** SHA-256 of the request's body: the same key over another body is a mistake, not a replay. */
    requestHash: text('request_hash').notNull(),
    status: integer('status').notNull(),
    answer: jsonb('answer').notNull(),
    /** SHA-256 of an answer that is too large to keep: it is read again from the resource. Null where `answer` has it. */
    answerHash: text('answer_hash'),
    createdAt: created(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.key] }), index('idempotency_newest').on(table.userId, table.createdAt)],
);

/** Uses of a budget in its current window (server/budgets): shared by every process on this database. */
export const budgets = pgTable(
  'budgets',
  {
    key: text('key').primaryKey(),
    used: integer('used').notNull(),
    endsAt: time('ends_at').notNull(),
  },
  (table) => [index('budgets_end').on(table.endsAt)],
);
