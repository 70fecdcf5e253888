import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { isOneLine } from '../names.ts';
import { atMost, idText, notEmpty } from '../text.ts';

export const uuid = z
  .string()
  .check(
    atMost(36, 'Not an identifier'),
    z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i, 'Not an identifier'),
  );

export const MAX_TITLE = 120;

/** One conversation. Times are ISO 8601 in UTC; `archive_title` is empty until the first answer names it. */
export const archive = z.object({ id: z.string(), archive_title: z.string(), created_at: z.string() });
export type Archive = z.infer<typeof archive>;

/** Conversations of one user. Beginning one more, also by a question, answers 409 'too_many_archives'. */
export const MAX_ARCHIVES = 5000;
/** Rows of one page of a list. */
export const ARCHIVES_PAGE = 100;
/** Characters of a text to search for. */
export const MAX_SEARCH = 100;

/** POST /chat/archives/. The id is the client's, so that a conversation begun offline keeps its address. */
export const createArchiveBody = z.object({ userId: idText, id: z.optional(uuid) });

export const archiveAnswer = answer(archive);

/** In the path of GET /user/{userId}/archives/{search_text}; empty text lists everything. */
export const archiveSearch = z.string().check(atMost(MAX_SEARCH));

/** `cursor`: the `next` of the page before. */
export const archivesQuery = z.object({ cursor: z.optional(z.string().check(atMost(100), z.regex(/^[\w-]+$/))) });

/**
 * One page, newest first: at most `ARCHIVES_PAGE` rows. `next` is the cursor of the page after it, null on the last one.
 * A page of a search may have fewer rows, or none, and still a `next`: a request looks through so many questions only.
 * Servers before this had no pages.
 */
export const archivesAnswer = z.extend(answer(z.array(archive)), { next: z.optional(z.nullable(z.string())) });

/**
 * PATCH /archive/{id}/title, form data (spec §7); answers `archiveAnswer`. The user's devices hear of it by
 * `generate_title_response`. DELETE /archive/{id} takes questions, answers and images along and answers
 * `messageAnswer`. Both take an Idempotency-Key, and answer 404 for what is not there.
 */
export const renameBody = z.object({
  archiveTitle: z
    .string('Title is required!')
    .check(atMost(MAX_TITLE), z.trim(), notEmpty('Title is required!'), z.refine(isOneLine, "Titles can't contain line breaks")),
});
