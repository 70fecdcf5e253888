import * as z from 'zod/mini';
import { uuid } from './archive.ts';

/** Messages that a new chat takes over: the last ones up to the answer. */
export const MAX_CONTINUED = 200;

/**
 * POST /archive/{id}/continue begins the chat `id` of the body with copies of the chat of the path, up to the answered message `chat_id`.
 * Questions without an answer are left out, failed and stopped ones too. Nothing is charged or answered again, and the earlier chat stays
 * as it is. Where the new chat exists, nothing changes, so that a request can be repeated. Answers 201 `archiveAnswer`, and emits
 * `generate_title_response` to the user's devices. Errors: 404 for an unknown chat or message, 409 'not_answered', 'too_many_archives' or
 * 'too_many_messages', and 429 for too many characters a day.
 */
export const continueBody = z.object({ id: uuid, chat_id: uuid });
