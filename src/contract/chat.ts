import * as z from 'zod/mini';
import { uuid } from './archive';
import { answer } from './envelope';

export const MAX_QUESTION = 4000;

/** 'message': stored, the answer is on its way. 'ai-responce' (the wire's spelling, spec §3): answered. */
export const chatStatus = z.enum(['message', 'ai-responce']);

/** One question and its answer. `ai_response` is empty while there is none. */
export const chat = z.object({
  id: z.string(),
  archive_id: z.string(),
  /** Order within the archive, ascending. */
  position: z.number(),
  user_message: z.string(),
  ai_response: z.string(),
  chat_status: chatStatus,
  preview_image: z.nullable(z.string()),
  chat_image: z.nullable(z.string()),
  created_at: z.string(),
});
export type Chat = z.infer<typeof chat>;

export const question = z
  .string('Enter chat description!')
  .check(z.trim(), z.minLength(1, 'Enter chat description!'), z.maxLength(MAX_QUESTION));

/** Emitted by the client; acknowledged only once the question is stored. */
export const chatMessage = z.object({
  /** Chosen by the client and unique for its user: the same id twice is the same question. */
  client_id: uuid,
  user_id: z.string(),
  archive_id: uuid,
  message: question,
  /** Id of an earlier question this one replaces; 0 for a new one (spec §7). */
  chat_id: z.union([z.literal(0), uuid]),
  chat_image: z.nullable(z.string()),
});
export type ChatMessage = z.infer<typeof chatMessage>;

/** Answers and errors of a question. `message` is what to show when there is no `ai_response` (spec §4). */
export const chatResponse = z.object({
  chat_id: z.string(),
  archive_id: z.string(),
  chat_status: chatStatus,
  user_message: z.string(),
  ai_response: z.optional(z.string()),
  message: z.optional(z.string()),
  error: z.optional(z.string()),
  subscription_error: z.optional(z.literal('subscription-ended')),
});
export type ChatResponse = z.infer<typeof chatResponse>;

export const titleResponse = z.object({ archive_id: z.string(), title: z.string() });
export type TitleResponse = z.infer<typeof titleResponse>;

export const chatsAnswer = answer(z.array(chat));
