import { index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { blobHash, blobSize, bytes, created, time } from './columns.ts';
import { users } from './users.ts';

/** What users wrote to support. A deletion request is such a message (spec §6). */
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
    /** The idempotency key it came with: a device may send it again after the stored answer has expired. */
    key: text('key'),
    /** What the operator wrote back, and when. */
    reply: text('reply'),
    repliedAt: time('replied_at'),
    /** When the acknowledgement is mailed once more; null once it was. */
    acknowledgeAt: time('acknowledge_at'),
    createdAt: created(),
  },
  (table) => [
    index('contact_messages_kind').on(table.kind, table.createdAt),
    uniqueIndex('contact_messages_key').on(table.userId, table.key),
  ],
);

/** Pictures that came with a message to support, as they were sent. */
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
    /** Only in rows that server/blobs has not moved yet. */
    bytes: bytes('bytes'),
  },
  (table) => [primaryKey({ columns: [table.messageId, table.place] }), index('contact_files_hash').on(table.hash)],
);
