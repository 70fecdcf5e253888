import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { blobHash, blobSize, bytes, created, time } from './columns.ts';

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** Trimmed and lowercased. */
    email: text('email').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    /** ISO 3166-1 alpha-2 in lowercase, or empty. */
    country: text('country').notNull().default(''),
    passwordHash: text('password_hash').notNull(),
    /** Version of the user's row in `profile_pictures`; null without a picture. */
    profileImage: text('profile_image'),
    /** Random id that passkeys store instead of the user's id; null before the first one. */
    passkeyHandle: text('passkey_handle'),
    verifiedAt: time('verified_at'),
    /** The user's id at the payment provider. */
    appUserId: uuid('app_user_id').notNull().defaultRandom(),
    /** Set while the operator deletes the account. It blocks sign-in and new data. */
    erasingAt: time('erasing_at'),
    createdAt: created(),
  },
  (table) => [uniqueIndex('users_email').on(table.email), uniqueIndex('users_app_user').on(table.appUserId)],
);

/** Profile picture as served: a small WebP in the blob store. */
export const profilePictures = pgTable(
  'profile_pictures',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    hash: blobHash('hash'),
    size: blobSize('size'),
    /** Only in rows that server/blobs still has to move. */
    webp: bytes('webp'),
  },
  (table) => [index('profile_pictures_hash').on(table.hash)],
);

/**
 * A sign-up with an unverified address. Several can exist for one address: the entered code selects the one that becomes
 * the account, with its own password and names.
 */
export const registrations = pgTable(
  'registrations',
  {
    /** Becomes the user's id. */
    id: uuid('id').primaryKey().defaultRandom(),
    /** Trimmed and lowercased, as in `users`; so is `country`. */
    email: text('email').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    country: text('country').notNull().default(''),
    passwordHash: text('password_hash').notNull(),
    /** Network prefix of the sign-up (http/network); null in rows of earlier versions. */
    network: text('network'),
    createdAt: created(),
  },
  (table) => [
    index('registrations_email').on(table.email, table.createdAt),
    index('registrations_network').on(table.network, table.createdAt),
    index('registrations_created').on(table.createdAt),
  ],
);
