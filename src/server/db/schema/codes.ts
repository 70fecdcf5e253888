import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { created, time } from './columns.ts';
import { registrations, users } from './users.ts';

/**
 * The code last mailed for one purpose; a new one replaces it. A 'reset-grant' is what a right 'reset-password' code is
 * traded for. The holder is a registration's id, a user's, or a made-up one for an address that has neither: guessing
 * looks the same at each.
 */
export const codes = pgTable(
  'codes',
  {
    userId: uuid('user_id').notNull(),
    purpose: text('purpose', { enum: ['verify-email', 'reset-password', 'reset-grant'] }).notNull(),
    codeHash: text('code_hash').notNull(),
    wrongTries: integer('wrong_tries').notNull().default(0),
    /** When it was entered. It is good for nothing from then on; only a repeat of the same request is told so. */
    usedAt: time('used_at'),
    expiresAt: time('expires_at').notNull(),
    createdAt: created(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.purpose] })],
);

/** Wrong codes on a day (UTC) of a user or, without one, of an address (docs/decisions.md, Session and codes). */
export const codeGuards = pgTable('code_guards', {
  userId: uuid('user_id').primaryKey(),
  /** YYYY-MM-DD. */
  day: text('day').notNull(),
  wrongTries: integer('wrong_tries').notNull().default(0),
  /** Those of them that were reset codes. */
  resetTries: integer('reset_tries').notNull().default(0),
});

/** Mailed links: one with a registration verifies its address, one with a user sets a new password. Used once. */
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
