import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { atMost, idText, notEmpty } from '../text.ts';
import { archive, uuid } from './archive.ts';
import { chartMarks } from './chart-reading.ts';

export const MAX_QUESTION = 4000;

/** What a chat image may be (spec §5), and its size on the wire after the browser has scaled it down. */
export const CHAT_IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif'] as const;
export const MAX_CHAT_IMAGE_BYTES = 8 * 1024 * 1024;

/** 'message': stored, the answer is on its way. 'ai-responce' (the wire's spelling, spec §3): answered. */
export const chatStatus = z.enum(['message', 'ai-responce']);

export const rating = z.enum(['up', 'down']);
export type Rating = z.infer<typeof rating>;

/** One question and its answer. `ai_response` is empty while there is none. */
export const chat = z.object({
  id: z.string(),
  archive_id: z.string(),
  /** Order within the archive, ascending. */
  position: z.number(),
  user_message: z.string(),
  ai_response: z.string(),
  chat_status: chatStatus,
  /**
   * Paths below `API_PREFIX`, read with the bearer: the picture small (WebP), and as it was stored (PNG or JPEG). The
   * last part of `chat_image` is the image's id. Both answer with an ETag and 304.
   */
  preview_image: z.nullable(z.string()),
  chat_image: z.nullable(z.string()),
  created_at: z.string(),
  // Rows that devices keep from before these were known lack them.
  /**
   * `ai_response` is an error in an answer's place; it was not charged, unless its picture could not be read and the
   * free ones of the day were used up: then `ai_response` says so.
   */
  failed: z.optional(z.boolean()),
  /** The user stopped it before there was an answer: `ai_response` is empty, `chat_status` 'ai-responce'. */
  stopped: z.optional(z.boolean()),
  /** Of a stopped question: it was charged, because work on its answer had begun. */
  counted: z.optional(z.boolean()),
  rating: z.optional(z.nullable(rating)),
  /** What was read from the picture, to be drawn over it. */
  marks: z.optional(z.nullable(chartMarks)),
  /** Coins that question or answer name, best match first: shown as live cards. */
  coins: z.optional(z.array(z.number())),
});
export type Chat = z.infer<typeof chat>;

export const question = z
  .string('Enter chat description!')
  .check(atMost(MAX_QUESTION, `At most ${MAX_QUESTION.toLocaleString('en-US')} characters`), z.trim(), notEmpty('Enter chat description!'));

/**
 * Emitted by the client; acknowledged only once the question is stored. Refusals beside the usual ones:
 * 402 'subscription-ended': the month's allowance is spent. A `chat_response` with `subscription_error` comes just before.
 *   Nothing is stored, and the same message may be sent again later.
 * 429 'too_many_unanswered': the user has as many questions without an answer as one may have. Send it again later.
 * 409 'too_many_archives': it would begin one conversation too many (contract/chat/archive `MAX_ARCHIVES`).
 * 409 'image_missing': `chat_image` is not stored (any more). Upload it again, under the same id, then send again.
 * 404 'not_found': the question to replace is gone, or this very question was deleted with its conversation.
 * Editing, regenerating and retrying are the same message: `chat_id` names the row, which keeps its place, and
 * `client_id` is new. Each is charged on its own, and carries the image it wants: null leaves it without one.
 */
export const chatMessage = z.object({
  /** Chosen by the client and unique for its user: the same id twice is the same question. */
  client_id: uuid,
  user_id: idText,
  archive_id: uuid,
  message: question,
  /** Id of an earlier question this one replaces; 0 for a new one (spec §7). */
  chat_id: z.union([z.literal(0), uuid]),
  /** Id of an image stored before by POST /chat/images; null without one. */
  chat_image: z.nullable(uuid),
});
export type ChatMessage = z.infer<typeof chatMessage>;

/**
 * Answers and errors of a question. `message` is what to show when there is no `ai_response` (spec §4).
 * An answer, a failure (`error`) and a stop come with `chat`. With `subscription_error` nothing was stored: only the
 * socket that asked hears it, and `chat_id` is the id of the question it sent, or of the row it wanted to replace.
 */
export const chatResponse = z.object({
  chat_id: z.string(),
  archive_id: z.string(),
  chat_status: chatStatus,
  user_message: z.string(),
  ai_response: z.optional(z.string()),
  message: z.optional(z.string()),
  error: z.optional(z.string()),
  subscription_error: z.optional(z.literal('subscription-ended')),
  /** The whole row as it is now. */
  chat: z.optional(chat),
});
export type ChatResponse = z.infer<typeof chatResponse>;

export const titleResponse = z.object({ archive_id: z.string(), title: z.string() });
export type TitleResponse = z.infer<typeof titleResponse>;

/** Questions of one answer to GET /archive/{id}/chats. */
export const MAX_CHATS_PAGE = 500;
export const chatsAnswer = z.extend(answer(z.array(chat)), { archive: z.optional(archive), total: z.optional(z.number()) });
export const chatAnswer = answer(chat);

/**
 * GET /archive/{id}/chats: the last `limit` questions (of those before position `before`), `MAX_CHATS_PAGE` at most.
 * `archive` is the conversation itself, `total` counts its questions.
 */
export const chatsQuery = z.object({
  limit: z.optional(z.pipe(z.string().check(atMost(4), z.regex(/^\d{1,4}$/)), z.transform(Number))),
  before: z.optional(z.pipe(z.string().check(atMost(9), z.regex(/^\d{1,9}$/)), z.transform(Number))),
});

/**
 * POST /chat/images, multipart: `id` and the file `image`. 201, and again so for the same image under the same id; 409
 * 'image_id_taken' for another one under it. 400 'image_type', 'image_pixels' or 'image_broken' say why a file is none,
 * 413 that it has too many bytes. An image that no question uses is kept for seven days.
 */
export const chatImageBody = z.object({ id: uuid });
export const chatImageAnswer = answer(z.object({ id: z.string(), width: z.number(), height: z.number() }));

/**
 * POST /chat/{id}/stop has no body and answers `chatAnswer`, the row as it is: once answered, nothing changes. Stopped
 * before work on its answer began, a question costs nothing; afterwards it is charged (`counted`).
 */

/** PUT /chat/{id}/rating, answers `chatAnswer`. Null takes it back. A question without an answer keeps none. */
export const ratingBody = z.object({ rating: z.nullable(rating) });
