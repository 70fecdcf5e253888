import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { blobHash, blobSize, bytes, created, time } from './columns.ts';
import { users } from './users.ts';

/** Messages from users to support, deletion requests included. */
export const contactMessages = pgTable(
  'contact_messages',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ['contact', 'deletion'] }).notNull(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    message: text('message').notNull(),
    /** Idempotency key of the message: a device may resend it after the stored answer has expired. */
    key: text('key'),
    /** The operator's reply. */
    reply: text('reply'),
    /** Time of the reply; without one, when an operator began to mail it. */
    repliedAt: time('replied_at'),
    /** When to retry mailing the acknowledgment; null when it was mailed. */
    acknowledgeAt: time('acknowledge_at'),
    createdAt: created(),
  },
  (table) => [
    index('contact_messages_kind').on(table.kind, table.createdAt),
    uniqueIndex('contact_messages_key').on(table.userId, table.key),
    index('contact_messages_unanswered').on(table.createdAt).where(sql`reply is null`),
    index('contact_messages_acknowledge').on(table.acknowledgeAt).where(sql`acknowledge_at is not null`),
  ],
);

/** Pictures attached to a support message, as uploaded. */
export const contactFiles = pgTable(
  'contact_files',
  {
    messageId: uuid('message_id')
      .notNull()
      .references(() => contactMessages.id, { onDelete: 'cascade' }),
    place: integer('place').notNull(),
    name: text('name').notNull(),
    type: text('type').notNull(),
    hash: blobHash('hash'),
    size: blobSize('size'),
    /** Only in rows that server/blobs still has to move. */
    bytes: bytes('bytes'),
  },
  (table) => [primaryKey({ columns: [table.messageId, table.place] }), index('contact_files_hash').on(table.hash)],
);
