import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { atMost, idText } from '../text.ts';
import { archive, uuid } from './archive.ts';
import { chartMarks } from './chart-reading.ts';
import { action, choices } from './offers.ts';
import { questionFault } from './question-limits.ts';

/** 'message': stored and waiting for its answer. 'ai-responce' (the wire's spelling): answered. */
export const chatStatus = z.enum(['message', 'ai-responce']);

export const rating = z.enum(['up', 'down']);
export type Rating = z.infer<typeof rating>;

/**
 * A message: one question and its answer. The wire calls it a chat, and the app's code a message. `ai_response` is empty
 * until the answer exists.
 */
export const message = z.object({
  id: z.string(),
  archive_id: z.string(),
  /** Place in its conversation, ascending from 1. */
  position: z.number(),
  user_message: z.string(),
  ai_response: z.string(),
  chat_status: chatStatus,
  /**
   * Paths below `API_PREFIX`, read with the bearer token: a small WebP, and the stored PNG or JPEG. The last part of
   * `chat_image` is the image's id. Both answer with an ETag and 304.
   */
  preview_image: z.nullable(z.string()),
  chat_image: z.nullable(z.string()),
  created_at: z.string(),
  // Optional, because rows stored on devices by earlier versions lack the fields below.
  /**
   * `ai_response` holds an error. The question is not charged, unless its picture was unreadable and the day's free
   * pictures are used up; then `ai_response` says so.
   */
  failed: z.optional(z.boolean()),
  /** The user stopped it before its answer: `ai_response` is empty, `chat_status` is 'ai-responce'. */
  stopped: z.optional(z.boolean()),
  /** For a stopped question: it was charged, because work on its answer had started. */
  counted: z.optional(z.boolean()),
  rating: z.optional(z.nullable(rating)),
  /** Levels read from the picture, to draw over it. */
  marks: z.optional(z.nullable(chartMarks)),
  /** Ids of the coins that the question or answer names, best match first. The app shows them as live cards. */
  coins: z.optional(z.array(z.number())),
  /** Questions that the answer asks back; its text lists them too. */
  choices: z.optional(choices),
  /** What the answer offers to do. */
  action: z.optional(z.nullable(action)),
  /** Where the figures of the answer come from, for `readFigures`: a page that can't read them still shows the answer. */
  figures: z.optional(z.unknown()),
});
export type Message = z.infer<typeof message>;

export const question = z.string(questionFault('')).check(
  z.refine((text) => !questionFault(text), { error: ({ input }) => questionFault(String(input)), abort: true }),
  z.trim(),
);

/**
 * A question, emitted by the client as `chat_message`, or sent by POST /chat/questions from networks that block WebSockets. The
 * server acknowledges it only after storing it. Refusals:
 * 402 'subscription-ended': the month's allowance is spent, and nothing is stored. A `chat_response` with
 *   `subscription_error` precedes it. The client may send the same question again later.
 * 429 'too_many_unanswered': the user has too many unanswered questions. Send it again later.
 * 409 'too_many_archives': the user has `MAX_ARCHIVES` conversations.
 * 409 'image_missing': `chat_image` is not stored. Upload it again under the same id, then send the question again.
 * 404 'not_found': the question to replace does not exist, or this question was deleted with its conversation.
 * To edit, regenerate or retry, send the id of the existing row as `chat_id` and a new `client_id`; the row keeps its
 * place. Each is charged on its own and names its own image; null removes the image.
 */
export const chatMessage = z.object({
  /** Chosen by the client, unique per user: the server stores a repeated id once. */
  client_id: uuid,
  user_id: idText,
  archive_id: uuid,
  message: question,
  /** Id of the question to replace; 0 for a new question. */
  chat_id: z.union([z.literal(0), uuid]),
  /** Id of an image uploaded by POST /chat/images, or null. */
  chat_image: z.nullable(uuid),
});
export type ChatMessage = z.infer<typeof chatMessage>;

/**
 * The answer or error of a question, emitted by the server as `chat_response`. Without `ai_response`, the client shows
 * `message`. Answers, failures (`error`) and stops carry `chat`. With `subscription_error` nothing is stored, only the
 * asking socket receives it, and `chat_id` is the id of the question or of the row to replace.
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
  /** The whole message as stored. */
  chat: z.optional(message),
});
export type ChatResponse = z.infer<typeof chatResponse>;

/** `pinned_at` as in `archive`; absent where it did not change. */
export const titleResponse = z.object({ archive_id: z.string(), title: z.string(), pinned_at: z.optional(z.nullable(z.string())) });
export type TitleResponse = z.infer<typeof titleResponse>;

/** Maximum number of messages in one response of GET /archive/{id}/chats. */
export const MAX_MESSAGES_PAGE = 500;

/** A conversation: its messages in order, its own row, and the total number of its messages. */
export const conversationAnswer = z.extend(answer(z.array(message)), { archive: z.optional(archive), total: z.optional(z.number()) });
export const oneMessageAnswer = answer(message);

/** GET /archive/{id}/chats: the last `limit` messages, or the last ones before position `before`; answers `conversationAnswer`. */
export const conversationQuery = z.object({
  limit: z.optional(z.pipe(z.string().check(atMost(4), z.regex(/^\d{1,4}$/)), z.transform(Number))),
  before: z.optional(z.pipe(z.string().check(atMost(9), z.regex(/^\d{1,9}$/)), z.transform(Number))),
});

/**
 * POST /chat/images, multipart: `id` and the file `image`. Answers 201, also when the same image is uploaded again under
 * the same id. Errors: 409 'image_id_taken' (another image has the id), 413 (too many bytes), and 400 'image_type',
 * 'image_pixels' or 'image_broken'. The server deletes an image that no question uses after seven days.
 */
export const chatImageBody = z.object({ id: uuid });
export const chatImageAnswer = answer(z.object({ id: z.string(), width: z.number(), height: z.number() }));

/**
 * POST /chat/{id}/stop has no body and answers `oneMessageAnswer`. An answered message does not change. A question costs
 * nothing if the user stops it before work on its answer starts; later it is charged (`counted`).
 */

/** PUT /chat/{id}/rating, answers `oneMessageAnswer`. Null removes the rating. The server rates answered messages only. */
export const ratingBody = z.object({ rating: z.nullable(rating) });
