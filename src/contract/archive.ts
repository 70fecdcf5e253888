import * as z from 'zod/mini';
import { answer } from './envelope';

export const uuid = z
  .string()
  .check(z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i, 'Not an identifier'));

export const MAX_TITLE = 120;

/** One conversation. Times are ISO 8601 in UTC; `archive_title` is empty until the first answer names it. */
export const archive = z.object({ id: z.string(), archive_title: z.string(), created_at: z.string() });
export type Archive = z.infer<typeof archive>;

/** POST /chat/archives/. The id is the client's, so that a conversation begun offline keeps its address. */
export const createArchiveBody = z.object({ userId: z.string().check(z.maxLength(64)), id: z.optional(uuid) });

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
    .check(z.trim(), z.minLength(1, 'Title is required!'), z.maxLength(MAX_TITLE, `At most ${MAX_TITLE} characters`)),
});
