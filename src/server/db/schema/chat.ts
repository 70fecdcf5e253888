import { isNotNull, sql } from 'drizzle-orm';
import { boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { blobHash, blobSize, bytes, created, time } from './columns.ts';
import { users } from './users.ts';

/** Clients choose the ids, so each key includes the user: users cannot probe or take each other's ids. */
export const archives = pgTable(
  'archives',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    id: uuid('id').notNull(),
    title: text('title').notNull().default(''),
    /** Title folded for search (domain/text `fold`), because PostgreSQL's own folding depends on its locale. */
    foldedTitle: text('folded_title').notNull().default(''),
    createdAt: created(),
    /** When the user pinned it; null if not. */
    pinnedAt: time('pinned_at'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('archives_recent').on(table.userId, table.createdAt),
    index('archives_pinned').on(table.userId, table.pinnedAt, table.id).where(isNotNull(table.pinnedAt)),
  ],
);

export const chats = pgTable(
  'chats',
  {
    userId: uuid('user_id').notNull(),
    id: uuid('id').notNull(),
    archiveId: uuid('archive_id').notNull(),
    /** Sort order within the archive: when the server stored it. */
    position: integer('position').notNull(),
    userMessage: text('user_message').notNull(),
    aiResponse: text('ai_response').notNull().default(''),
    /** Set when the answer, or the error shown instead, is stored. */
    answeredAt: time('answered_at'),
    /** Whether the answer is an error message. */
    failed: boolean('failed').notNull().default(false),
    /** Lease expiry of the process that answers the question. */
    claimedUntil: time('claimed_until'),
    /** When the analyst was first asked about this version. From then on the question counts, even when stopped. */
    startedAt: time('started_at'),
    /** Raised by every claim and edit. An answer is stored only for the version it was made for. */
    version: integer('version').notNull().default(0),
    /** Client ids of the applied edits, so that a repeated edit is applied once. */
    edits: uuid('edits').array().notNull().default([]),
    /** Question and answer folded for search (domain/text `fold`). */
    folded: text('folded').notNull().default(''),
    /** Id of the question's picture in `chat_images`. */
    imageId: text('chat_image'),
    /** Whether the user stopped the answer. */
    stopped: boolean('stopped').notNull().default(false),
    rating: text('rating', { enum: ['up', 'down'] }),
    /** Levels read from the picture (contract/chat/chart-reading `chartMarks`). */
    marks: jsonb('marks'),
    /** Where the figures of the answer come from (contract/chat/answer-figures `answerFigures`). */
    figures: jsonb('figures'),
    /** Ids of the coins that the question or the answer names. */
    coins: integer('coins').array().notNull().default([]),
    /** Questions that the answer asks back. */
    choices: text('choices').array().notNull().default([]),
    /** What the answer offers to do (contract/chat/offers `action`). */
    action: jsonb('action'),
    createdAt: created(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    uniqueIndex('chats_order').on(table.userId, table.archiveId, table.position),
    index('chats_unanswered').on(table.answeredAt),
    index('chats_image').on(table.userId, table.imageId).where(isNotNull(table.imageId)),
  ],
);

/**
 * Charges against the monthly allowance (docs/decisions.md, Allowances): reserved with the question, spent with its
 * answer, returned without one. Each edit and each retry is a charge of its own.
 */
export const charges = pgTable(
  'charges',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Client id of the question, edit or retry. */
    id: uuid('id').notNull(),
    chatId: uuid('chat_id').notNull(),
    kind: text('kind', { enum: ['question', 'chart'] }).notNull(),
    state: text('state', { enum: ['reserved', 'spent', 'returned'] }).notNull(),
    /** YYYY-MM (UTC), the charged month. */
    month: text('month').notNull(),
    /** YYYY-MM-DD (UTC) of a charge that was returned because its picture had no readable chart. */
    freeDay: text('free_day'),
    createdAt: created(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('charges_month').on(table.userId, table.month),
    index('charges_created').on(table.createdAt),
    index('charges_reserved').on(table.userId, table.chatId).where(sql`state = 'reserved'`),
    index('charges_free').on(table.userId, table.freeDay).where(isNotNull(table.freeDay)),
  ],
);

/** Pictures of questions, decoded and re-encoded. Only their user can read them. */
export const chatImages = pgTable(
  'chat_images',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Chosen by the client. */
    id: uuid('id').notNull(),
    type: text('type').notNull(),
    hash: blobHash('hash'),
    size: blobSize('size'),
    /** Small WebP preview for lists and offline reading. */
    previewHash: blobHash('preview_hash'),
    previewSize: blobSize('preview_size'),
    /** Only in rows that server/blobs still has to move. */
    bytes: bytes('bytes'),
    preview: bytes('preview'),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    createdAt: created(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('chat_images_hash').on(table.hash),
    index('chat_images_preview_hash').on(table.previewHash),
  ],
);

/** Read-only links to chats. Each has a copy of its chat from when it was made, so that later messages and changes stay private. */
export const chatLinks = pgTable(
  'chat_links',
  {
    userId: uuid('user_id').notNull(),
    /** Chosen by the client. */
    id: uuid('id').notNull(),
    archiveId: uuid('archive_id').notNull(),
    tokenHash: text('token_hash').notNull(),
    title: text('title').notNull(),
    /** The copy (modules/chat-links/copy-chat `CopiedMessage`). */
    messages: jsonb('messages').notNull(),
    messageCount: integer('message_count').notNull(),
    withPictures: boolean('with_pictures').notNull(),
    leftOut: integer('left_out').notNull(),
    /** Whether the chat had earlier messages, beyond the limits. */
    hasEarlier: boolean('has_earlier').notNull(),
    expiresAt: time('expires_at').notNull(),
    createdAt: created(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    foreignKey({ columns: [table.userId, table.archiveId], foreignColumns: [archives.userId, archives.id] }).onDelete('cascade'),
    index('chat_links_archive').on(table.userId, table.archiveId),
    uniqueIndex('chat_links_token').on(table.tokenHash),
    index('chat_links_expiry').on(table.expiresAt),
  ],
);
