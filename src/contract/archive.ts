import * as z from 'zod/mini';
import { answer } from './envelope';
import { isOneLine } from './names';
import { atMost, idText, notEmpty } from './text';

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

/** POST /chat/archives/. The id is the client's, so that a conversation begun offline keeps its address. */
export const createArchiveBody = z.object({ userId: idText, id: z.optional(uuid) });

export const archiveAnswer = answer(archive);
export const archivesAnswer = answer(z.array(archive));

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
