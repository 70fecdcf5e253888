import { bigint, boolean, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { bytes, created, time } from './columns.ts';
import { sessions } from './sessions.ts';
import { users } from './users.ts';

/** A user's passkeys. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Base64url, made by the authenticator. */
    credentialId: text('credential_id').notNull(),
    /** COSE. */
    publicKey: bytes('public_key').notNull(),
    /** Signatures that the authenticator has counted; 0 for those that do not count. */
    counter: bigint('counter', { mode: 'number' }).notNull().default(0),
    /** Where the browser may find it, such as `["internal"]`. */
    transports: jsonb('transports').$type<string[]>().notNull().default([]),
    synced: boolean('synced').notNull().default(false),
    name: text('name').notNull(),
    lastUsedAt: time('last_used_at'),
    createdAt: created(),
  },
  (table) => [uniqueIndex('passkeys_credential').on(table.credentialId), index('passkeys_user').on(table.userId, table.createdAt)],
);

/** Challenges that wait for a passkey's signature. Single use. Those of a sign-in have no user. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    challengeHash: text('challenge_hash').primaryKey(),
    purpose: text('purpose', { enum: ['sign-in', 'register', 'confirm'] }).notNull(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    sessionId: uuid('session_id').references(() => sessions.id, { onDelete: 'cascade' }),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    index('passkey_challenges_user').on(table.userId),
    index('passkey_challenges_session').on(table.sessionId),
    index('passkey_challenges_end').on(table.expiresAt),
  ],
);
