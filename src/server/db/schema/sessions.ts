import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { created, time } from './columns.ts';
import { users } from './users.ts';

/** One signed-in device. Revoking it ends its whole family of refresh tokens. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    revokedAt: time('revoked_at'),
    /** Browser and system, such as `Chrome on Android`; null for sessions opened before names were kept. */
    clientName: text('client_name'),
    /** The network prefix of the sign-in, never the full address. */
    network: text('network'),
    /** Written at most once every few minutes; null means not since sign-in. */
    lastSeenAt: time('last_seen_at'),
    /** When the user last gave the password in this session. */
    provenAt: time('proven_at'),
    createdAt: created(),
  },
  (table) => [index('sessions_user').on(table.userId)],
);

/**
 * The refresh tokens of a session that are still good. A rotated one stays until its successor is first used
 * (docs/decisions.md, Session and codes); that use deletes it, so a token of a session that has no row here was used twice.
 */
export const refreshTokens = pgTable(
  'refresh_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    usedAt: time('used_at'),
    expiresAt: time('expires_at').notNull(),
    createdAt: created(),
  },
  (table) => [index('refresh_tokens_session').on(table.sessionId)],
);
