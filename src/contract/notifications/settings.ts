import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { atMost } from '../text.ts';
import { notificationChoices } from './choices.ts';

/** A minute of the day. */
const minute = z.int().check(z.minimum(0), z.maximum(24 * 60 - 1));

const quietHours = z.nullable(
  z.object({ from: minute, to: minute }).check(z.refine(({ from, to }) => from !== to, 'Quiet hours need a start and another end')),
);

/** PUT /notification/{userId}/settings: replaces them. Idempotent. Answers 400 `unknown_time_zone`. */
export const notificationSettingsBody = z.object({
  choices: notificationChoices,
  /** Non-urgent notifications wait for their end. */
  quiet: quietHours,
  /** IANA name. */
  time_zone: z.string().check(atMost(64)),
});
export type NotificationSettingsBody = z.infer<typeof notificationSettingsBody>;

/** How a destination is doing. */
const reached = z.object({
  /** What the user recognizes it by. */
  name: z.string(),
  /** Since when nothing is sent there, because the receiver refuses it; null while it works. ISO 8601, UTC. */
  ended_at: z.nullable(z.string()),
  /** When something was last sent, and why the last attempt failed; null if never, and after a success. */
  sent_at: z.nullable(z.string()),
  failure: z.nullable(z.string()),
});
export type Reached = z.infer<typeof reached>;

export const notificationSettings = z.object({
  ...notificationSettingsBody.shape,
  /** Address that mail goes to. */
  email: z.string(),
  /** Whether this installation has a Telegram bot. */
  has_telegram: z.boolean(),
  telegram: z.nullable(reached),
  webhook: z.nullable(reached),
  /** Number of browsers that get push messages. */
  browsers: z.number(),
});
export type NotificationSettings = z.infer<typeof notificationSettings>;

/** GET /notification/{userId}/settings. */
export const notificationSettingsAnswer = answer(notificationSettings);

/** Messages of the webhook form. */
export const WEBHOOK_MESSAGES = {
  address: 'Enter an address that begins with https://',
  notAllowed: 'Messages can only go to https:// addresses on the public internet',
  tooLong: 'The address can have up to 500 characters',
} as const;

/**
 * PUT /notification/{userId}/webhook: sends notifications to an address, with a new secret, instead of the one before. Answers 400
 * `bad_address`.
 */
export const webhookBody = z.object({ url: z.string().check(atMost(500, WEBHOOK_MESSAGES.tooLong), z.trim()) });

/** The only answer that has the secret, which signs each message. */
export const webhookAnswer = answer(z.object({ secret: z.string() }));

/** POST /notification/{userId}/webhook/test. `failure` is null if the receiver accepted the message. */
export const webhookTestAnswer = answer(z.object({ failure: z.nullable(z.string()) }));

/** How long the link that connects a Telegram chat works, ms. */
export const TELEGRAM_LINK_LIFETIME = 10 * 60_000;

/** POST /notification/{userId}/telegram: `link` opens a chat with the bot that connects it to the account. It works once, until `expires_at`. */
export const telegramLinkAnswer = answer(z.object({ link: z.string(), expires_at: z.string() }));
