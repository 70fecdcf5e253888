import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { blobHash, blobSize, bytes, created, time } from './columns.ts';
import { users } from './users.ts';

/** Ids come from the client, so a user's rows are keyed within that user: nobody can learn or take another's id. */
export const archives = pgTable(
  'archives',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    id: uuid('id').notNull(),
    title: text('title').notNull().default(''),
    /** The title as search sees it (domain/text `fold`): PostgreSQL's own folding depends on its locale. */
    foldedTitle: text('folded_title').notNull().default(''),
    createdAt: created(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] }), index('archives_recent').on(table.userId, table.createdAt)],
);

export const chats = pgTable(
  'chats',
  {
    userId: uuid('user_id').notNull(),
    id: uuid('id').notNull(),
    archiveId: uuid('archive_id').notNull(),
    /** Order within the archive: when the server stored it. */
    position: integer('position').notNull(),
    userMessage: text('user_message').notNull(),
    aiResponse: text('ai_response').notNull().default(''),
    /** Set once the answer (or the error shown in its place) is stored. */
    answeredAt: time('answered_at'),
    /** The answer is an error shown in an answer's place. */
    failed: boolean('failed').notNull().default(false),
    /** Until then the process that took the question is expected to answer it. */
    claimedUntil: time('claimed_until'),
    /** When the analyst was first asked for an answer to this version; from then on the question counts, also when it is stopped. */
    startedAt: time('started_at'),
    /** Raised by every claim and every edit: an answer is stored only for the version it was made for. */
    version: integer('version').notNull().default(0),
    /** Client ids of the edits applied, so that one sent twice is applied once. */
    edits: uuid('edits').array().notNull().default([]),
    /** Question and answer as search sees them (domain/text `fold`). */
    folded: text('folded').notNull().default(''),
    /** Id of the question's picture in `chat_images`. */
    imageId: text('chat_image'),
    /** The user asked for it not to be answered, or not any further. */
    stopped: boolean('stopped').notNull().default(false),
    rating: text('rating', { enum: ['up', 'down'] }),
    /** What was read from the picture (contract/chat/chart-reading `chartMarks`). */
    marks: jsonb('marks'),
    /** Ids of the coins that question or answer name. */
    coins: integer('coins').array().notNull().default([]),
    createdAt: created(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    uniqueIndex('chats_order').on(table.userId, table.archiveId, table.position),
    index('chats_unanswered').on(table.answeredAt),
  ],
);

/**
 * What a question costs of its month's allowance (docs/decisions.md, Allowances): reserved when it is stored,
 * spent with its answer, returned when there is none. Each edit and each new try is a charge of its own.
 */
export const charges = pgTable(
  'charges',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The client id of the question, edit or new try. */
    id: uuid('id').notNull(),
    chatId: uuid('chat_id').notNull(),
    kind: text('kind', { enum: ['question', 'chart'] }).notNull(),
    state: text('state', { enum: ['reserved', 'spent', 'returned'] }).notNull(),
    /** YYYY-MM (UTC), the month it counts for. */
    month: text('month').notNull(),
    /** YYYY-MM-DD (UTC), the day on which it was returned because its picture showed no chart or could not be read. */
    freeDay: text('free_day'),
    createdAt: created(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] }), index('charges_month').on(table.userId, table.month)],
);

/** Pictures of questions, decoded and written anew; only their user reads them. */
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
    /** A small WebP for rows and for reading offline. */
    previewHash: blobHash('preview_hash'),
    previewSize: blobSize('preview_size'),
    /** Only in rows that server/blobs has not moved yet. */
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
