import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { atMost, listOf } from '../text.ts';
import { uuid } from './archive.ts';
import { MAX_TITLE } from './archive-limits.ts';
import { rating } from './chat.ts';
import { MAX_QUESTION } from './question-limits.ts';

/** Chats, and messages of all of them, in one request. */
export const MAX_IMPORTED_CHATS = 100;
export const MAX_IMPORTED_MESSAGES = 200;
/** Maximum number of characters of an answer, as stored. */
export const MAX_IMPORTED_ANSWER = 100_001;
/** Characters of chats that a user can import a day, and messages that a user can have in all before an import adds more. */
export const MAX_IMPORTED_A_DAY = 64_000_000;
export const MAX_MESSAGES_TO_IMPORT = 100_000;

const time = z.pipe(z.string().check(atMost(40)), z.iso.datetime({ offset: true }));

const importedMessage = z.object({
  id: uuid,
  user_message: z.string().check(atMost(MAX_QUESTION)),
  ai_response: z.string().check(atMost(MAX_IMPORTED_ANSWER)),
  failed: z.boolean(),
  stopped: z.boolean(),
  rating: z.nullable(rating),
  created_at: time,
  answered_at: z.nullable(time),
  /** The id of its picture, uploaded by POST /chat/images before; one that is missing is left out. */
  picture: z.nullable(uuid),
  /** As in `message`, all optional; what cannot be read is left out. */
  figures: z.optional(z.unknown()),
  marks: z.optional(z.unknown()),
  coins: z.optional(z.unknown()),
  choices: z.optional(z.unknown()),
});
export type ImportedMessage = z.infer<typeof importedMessage>;

/** Whether a question can be imported. Without an answer, it would be answered and charged. */
export const isAnswered = ({ answered_at, failed, stopped }: Pick<ImportedMessage, 'answered_at' | 'failed' | 'stopped'>): boolean =>
  answered_at !== null || failed || stopped;

const importedChat = z.object({
  id: uuid,
  title: z.string().check(atMost(MAX_TITLE)),
  created_at: time,
  /** When it was pinned. Beyond `MAX_PINS` it is not. */
  pinned_at: z.optional(z.nullable(time)),
  /** In their order. A long chat comes in several requests, each with the next messages. */
  messages: z.array(importedMessage).check(listOf(MAX_IMPORTED_MESSAGES)),
});
export type ImportedChat = z.infer<typeof importedChat>;

/**
 * POST /user/{userId}/archives/import adds chats of an export to the account, with their ids. What is there already stays as it is, so that
 * a request can be repeated. With `preview`, nothing is stored. Nothing is charged, answered or notified. Unanswered questions, and what is
 * beyond the limits, are left out. Answers `importAnswer`. Errors: 429 'too_many_requests' beyond `MAX_IMPORTED_A_DAY`.
 */
export const importBody = z.object({
  preview: z.boolean(),
  chats: z.array(importedChat).check(
    listOf(MAX_IMPORTED_CHATS, 1),
    z.refine(
      (chats) => chats.reduce((sum, { messages }) => sum + messages.length, 0) <= MAX_IMPORTED_MESSAGES,
      `At most ${MAX_IMPORTED_MESSAGES} messages`,
    ),
  ),
});
export type ImportBody = z.infer<typeof importBody>;

/** Each chat and each message of a request is in one of three groups. */
const counts = z.object({ chats: z.number(), messages: z.number() });
export const importAnswer = answer(z.object({ added: counts, present: counts, left_out: counts }));
export type Imported = z.infer<typeof importAnswer>['data'];
