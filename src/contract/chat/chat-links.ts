import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { atMost } from '../text.ts';
import { uuid } from './archive.ts';

/** Days after which a link can expire. */
export const LINK_DAYS = [1, 7, 30] as const;
export type LinkDays = (typeof LINK_DAYS)[number];

/** Links of a user that have not expired. */
export const MAX_LINKS = 20;
/** Questions and answers that a link shows at most, the last ones of its chat. */
export const MAX_LINK_MESSAGES = 100;
/** Characters of them, as JSON. */
export const MAX_LINK_SIZE = 500_000;

/** Where a link leads. Its token follows in the fragment, which browsers send to no server. */
export const SHARED_CHAT_PATH = '/shared';

/** 32 random bytes in base64url. The device makes them, so that the server stores their hash alone. */
const LINK_TOKEN = /^[\w-]{43}$/;
export const isLinkToken = (text: string): boolean => text.length === 43 && LINK_TOKEN.test(text);

/** A link as its owner sees it. Times are ISO 8601 in UTC. */
export const chatLink = z.object({
  id: z.string(),
  archive_id: z.string(),
  title: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  with_pictures: z.boolean(),
  /** Number of its questions and answers. */
  messages: z.number(),
});
export type ChatLink = z.infer<typeof chatLink>;

/** What a link would show. */
export const linkCopy = z.object({
  /** Number of questions and answers. */
  messages: z.number(),
  /** Position of the last answered question, for `createLinkBody`; 0 if there is none. */
  last: z.number(),
  /** Number of those about the user's own bots, plan or allowance, which no link shows. */
  left_out: z.number(),
  /** The chat has earlier ones, beyond the limits. */
  earlier: z.boolean(),
  pictures: z.number(),
});
export type LinkCopy = z.infer<typeof linkCopy>;

/** GET /archive/{id}/links: the chat's links, newest first, and what one that is made now would show. 404 for an unknown chat. */
export const archiveLinksAnswer = answer(z.object({ links: z.array(chatLink), copy: linkCopy }));

/**
 * POST /archive/{id}/links copies the chat and answers 201 `linkAnswer`. Accepts an Idempotency-Key; the same `id` and `token` again answer
 * the same link. Later messages and changes are not in the copy. Deleting the chat deletes its links. Errors: 404 for an unknown chat,
 * 409 'nothing_to_share' (no answer to show), 'too_many_links' (`MAX_LINKS`) or 'link_taken' (another link has the id or the token).
 */
export const createLinkBody = z.object({
  id: uuid,
  token: z.string().check(atMost(43), z.regex(LINK_TOKEN)),
  days: z.union(LINK_DAYS.map((days) => z.literal(days))),
  with_pictures: z.boolean(),
  /** Position of the last message to show: what arrived after the user looked stays out. */
  last: z.int().check(z.minimum(1), z.maximum(2 ** 31 - 1)),
});
export type CreateLink = z.infer<typeof createLinkBody>;
export const linkAnswer = answer(chatLink);

/** GET /chat-links: the user's links that have not expired, newest first. DELETE /chat-links/{id} ends one and answers `messageAnswer`. */
export const linksAnswer = answer(z.array(chatLink));

/** A question and its answer as everyone with the link sees them. */
export const sharedExchange = z.object({
  question: z.string(),
  /** Markdown. */
  answer: z.string(),
  asked_at: z.string(),
  /** As in `message`, without what their current values could be looked up by. */
  figures: z.optional(z.unknown()),
  /** Whether POST /shared-chat/picture has its picture. */
  picture: z.boolean(),
});
export type SharedExchange = z.infer<typeof sharedExchange>;

/** A shared chat. It has no id, name or other data of the user who shared it. */
export const sharedChat = z.object({
  title: z.string(),
  shared_at: z.string(),
  expires_at: z.string(),
  messages: z.array(sharedExchange),
  left_out: z.number(),
  earlier: z.boolean(),
});
export type SharedChat = z.infer<typeof sharedChat>;

/**
 * POST /shared-chat needs no session. 404 'not_found' for every token that opens nothing: a wrong one, and one of a link that has expired or
 * was stopped. A POST, so that the token is in no address that logs, caches or referrers keep.
 */
export const sharedChatBody = z.object({ token: z.string().check(atMost(1000)) });
export const sharedChatAnswer = answer(sharedChat);

/** POST /shared-chat/picture answers the picture of the message at a place in `messages`, or 404 as above. */
export const sharedPictureBody = z.extend(sharedChatBody, {
  place: z.int().check(z.minimum(0), z.maximum(MAX_LINK_MESSAGES - 1)),
});
