import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { isOneLine } from '../names.ts';
import { atMost, idText, notEmpty } from '../text.ts';
import { MAX_SEARCH, MAX_TITLE, UUID } from './archive-limits.ts';

export const uuid = z.string().check(atMost(36, 'Not an identifier'), z.regex(UUID, 'Not an identifier'));

/**
 * The row of a conversation. Times are ISO 8601 in UTC. `archive_title` is empty until the first answer. `preview` begins
 * the newest message (domain/chat-preview), and is empty for a picture without text; only lists send it, and earlier servers do not.
 */
export const archive = z.object({
  id: z.string(),
  archive_title: z.string(),
  created_at: z.string(),
  preview: z.optional(z.string()),
  /** What `preview` begins: the answer, or the question that waits for one, has failed, or was stopped. Earlier servers show questions alone. */
  preview_of: z.optional(z.enum(['answer', 'waiting', 'failed', 'question'])),
  /** The previewed answer is about the user's own bots or plan, so that the device hides amounts in it where amounts are hidden. */
  preview_own: z.optional(z.boolean()),
  /** When the user pinned it; absent or null if not. */
  pinned_at: z.optional(z.nullable(z.string())),
});
export type Archive = z.infer<typeof archive>;

/** POST /chat/archives/. The client chooses the id, so that a conversation started offline keeps its address. */
export const createArchiveBody = z.object({ userId: idText, id: z.optional(uuid) });

export const archiveAnswer = answer(archive);

/** Path parameter of GET /user/{userId}/archives/{search_text}; empty text lists everything. */
export const archiveSearch = z.string().check(atMost(MAX_SEARCH));

/** `cursor` is the previous page's `next`. */
export const archivesQuery = z.object({ cursor: z.optional(z.string().check(atMost(100), z.regex(/^[\w-]+$/))) });

/**
 * One page of at most `ARCHIVES_PAGE` rows, newest first. The first page of the whole list also has the `pinned` ones, the last pinned
 * first, wherever else they are listed; earlier servers have none. `next` is the cursor of the next page, or null. A search page
 * can have few or no rows and still a `next`, because each request scans a limited number of questions. `next` is
 * optional, because earlier servers do not send it.
 */
export const archivesAnswer = z.extend(answer(z.array(archive)), {
  next: z.optional(z.nullable(z.string())),
  pinned: z.optional(z.array(archive)),
});

/**
 * PATCH /archive/{id}/title takes form data, answers `archiveAnswer`, and emits `generate_title_response` to the user's
 * devices. DELETE /archive/{id} also deletes questions, answers and images, and answers `messageAnswer`. Both accept an
 * Idempotency-Key and answer 404 for an unknown id.
 */
export const renameBody = z.object({
  archiveTitle: z
    .string('Title is required!')
    .check(atMost(MAX_TITLE), z.trim(), notEmpty('Title is required!'), z.refine(isOneLine, "Titles can't contain line breaks")),
});
