import { isNotNull } from 'drizzle-orm';
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
    /** Browser and system, such as `Chrome on Android`; null for old sessions without a name. */
    clientName: text('client_name'),
    /** Network prefix at sign-in, never the full address. */
    network: text('network'),
    /** Updated at most once every few minutes; null until the first update after sign-in. */
    lastSeenAt: time('last_seen_at'),
    /** When the user last entered the password in this session. */
    provenAt: time('proven_at'),
    createdAt: created(),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_revoked').on(table.revokedAt).where(isNotNull(table.revokedAt))],
);

/**
 * A session's valid refresh tokens. First use of a successor deletes the rotated token (docs/decisions.md, Session and
 * codes), so a token without a row was used twice.
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
  (table) => [index('refresh_tokens_session').on(table.sessionId), index('refresh_tokens_end').on(table.expiresAt)],
);
