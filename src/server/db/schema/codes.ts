import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { created, time } from './columns.ts';
import { registrations, users } from './users.ts';

/**
 * Latest mailed code per purpose. A 'reset-grant' is issued for a correct 'reset-password' code. The holder is a
 * registration, a user, or a made-up id for an unknown address, so that guessing looks the same for each.
 */
export const codes = pgTable(
  'codes',
  {
    userId: uuid('user_id').notNull(),
    purpose: text('purpose', { enum: ['verify-email', 'reset-password', 'reset-grant'] }).notNull(),
    codeHash: text('code_hash').notNull(),
    wrongTries: integer('wrong_tries').notNull().default(0),
    /** When it was entered and became invalid. Only a repeat of the same request learns that. */
    usedAt: time('used_at'),
    expiresAt: time('expires_at').notNull(),
    createdAt: created(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.purpose] }), index('codes_end').on(table.expiresAt)],
);

/** Wrong codes per day (UTC) and user or, without a user, per address (docs/decisions.md, Session and codes). */
export const codeGuards = pgTable(
  'code_guards',
  {
    userId: uuid('user_id').primaryKey(),
    /** YYYY-MM-DD. */
    day: text('day').notNull(),
    wrongTries: integer('wrong_tries').notNull().default(0),
    /** How many of them were reset codes. */
    resetTries: integer('reset_tries').notNull().default(0),
  },
  (table) => [index('code_guards_day').on(table.day)],
);

/** Mailed links. With a registration, a link verifies its address; with a user, it sets a new password. Single use. */
export const mailedLinks = pgTable(
  'mailed_links',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    registrationId: uuid('registration_id').references(() => registrations.id, { onDelete: 'cascade' }),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    index('mailed_links_user').on(table.userId),
    index('mailed_links_registration').on(table.registrationId),
    index('mailed_links_end').on(table.expiresAt),
  ],
);
