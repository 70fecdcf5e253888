import { sql } from 'drizzle-orm';
import { integer, pgView, text, uuid } from 'drizzle-orm/pg-core';

/** Every blob that a row names, with its owner: for quotas, exports, erasure and orphan collection. */
export const userBlobs = pgView('user_blobs', {
  userId: uuid('user_id').notNull(),
  kind: text('kind', { enum: ['profile', 'chat', 'preview', 'contact'] }).notNull(),
  /** Null while the row itself holds the bytes. */
  hash: text('hash'),
  size: integer('size').notNull(),
}).as(sql`
  select user_id, 'profile' as kind, hash, size from profile_pictures
  union all select user_id, 'chat', hash, size from chat_images
  union all select user_id, 'preview', preview_hash, preview_size from chat_images
  union all select contact_messages.user_id, 'contact', contact_files.hash, contact_files.size
    from contact_files join contact_messages on contact_messages.id = contact_files.message_id`);
