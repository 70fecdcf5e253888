import * as z from 'zod/mini';
import { email } from './account/account.ts';
import { answer, messageAnswer } from './envelope.ts';
import { nameText } from './names.ts';
import { atMost, idText, notEmpty } from './text.ts';

const CONTACT_MESSAGES = { nameRequired: 'Name is required!', messageRequired: 'Type Message is required!' } as const;

const MAX_NAME = 200;
const MAX_MESSAGE = 5000;

/**
 * POST /user/delete/send-request, JSON with an Idempotency-Key. The server uses the account's address and ignores `email`. Answers
 * `messageAnswer`.
 */
export const deletionRequestBody = z.object({
  user_id: idText,
  name: nameText(MAX_NAME, CONTACT_MESSAGES.nameRequired),
  email,
  message: z.string(CONTACT_MESSAGES.messageRequired).check(atMost(MAX_MESSAGE), z.trim(), notEmpty(CONTACT_MESSAGES.messageRequired)),
});
export type DeletionRequestBody = z.infer<typeof deletionRequestBody>;

export const MAX_CONTACT_FILES = 5;

/** Fields of the contact form, without its files. */
export const contactForm = z.pick(deletionRequestBody, { name: true, message: true });
export type ContactForm = z.infer<typeof contactForm>;

/**
 * POST /contact-us/send-message, form data with an Idempotency-Key: name, email, message, user_id and repeated `files`. `kind` is
 * 'contact' or a deletion request. The server uses the account's address.
 */
export const contactMessageBody = z.extend(deletionRequestBody, { kind: z._default(z.enum(['contact', 'deletion']), 'contact') });
export type ContactMessageBody = z.infer<typeof contactMessageBody>;
export const contactAnswer = z.extend(messageAnswer, { data: z.object({ id: z.string() }) });

/** A stored message to support. */
export const sentContact = z.object({
  id: z.string(),
  kind: z.enum(['contact', 'deletion']),
  name: z.string(),
  message: z.string(),
  /** Number of attached pictures. */
  files: z.number(),
  created_at: z.string(),
  /** Support's reply and its time. */
  reply: z.nullable(z.string()),
  replied_at: z.nullable(z.string()),
});
export type SentContact = z.infer<typeof sentContact>;

/** GET /contact-us/messages: the user's own messages, oldest first. */
export const sentContactsAnswer = answer(z.array(sentContact));
