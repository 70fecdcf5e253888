import * as z from 'zod/mini';
import { email } from './account/account.ts';
import { answer, messageAnswer } from './envelope.ts';
import { nameText } from './names.ts';
import { atMost, idText, notEmpty } from './text.ts';

/** Spec §5, to the letter. */
const CONTACT_COMPLAINTS = { nameRequired: 'Name is required!', messageRequired: 'Type Message is required!' } as const;

const MAX_NAME = 200;
const MAX_MESSAGE = 5000;

/**
 * POST /user/delete/send-request (spec §6: an account is deleted on request). JSON; takes an Idempotency-Key.
 * The account's own address counts, whatever `email` says. Answers `messageAnswer`.
 */
export const deletionRequestBody = z.object({
  user_id: idText,
  name: nameText(MAX_NAME, CONTACT_COMPLAINTS.nameRequired),
  email,
  message: z.string(CONTACT_COMPLAINTS.messageRequired).check(atMost(MAX_MESSAGE), z.trim(), notEmpty(CONTACT_COMPLAINTS.messageRequired)),
});
export type DeletionRequestBody = z.infer<typeof deletionRequestBody>;

export const MAX_CONTACT_FILES = 5;
export const MAX_CONTACT_FILE_BYTES = 8 * 1024 * 1024;
/** Spec §5. */
export const CONTACT_FILE_TYPES = ['image/png', 'image/jpeg'] as const;

/** What the contact form holds beside its files. */
export const contactForm = z.pick(deletionRequestBody, { name: true, message: true });
export type ContactForm = z.infer<typeof contactForm>;

/**
 * POST /contact-us/send-message, form data, with an Idempotency-Key: name, email, message, user_id and `files`
 * (repeated). `kind` is 'contact' unless it asks for the account's deletion. The account's own address counts.
 */
export const contactMessageBody = z.extend(deletionRequestBody, { kind: z._default(z.enum(['contact', 'deletion']), 'contact') });
export type ContactMessageBody = z.infer<typeof contactMessageBody>;
export const contactAnswer = z.extend(messageAnswer, { data: z.object({ id: z.string() }) });

/** A message to support as the server keeps it. */
export const sentContact = z.object({
  id: z.string(),
  kind: z.enum(['contact', 'deletion']),
  name: z.string(),
  message: z.string(),
  /** How many pictures came with it. */
  files: z.number(),
  created_at: z.string(),
  /** What support wrote back, and when. */
  reply: z.nullable(z.string()),
  replied_at: z.nullable(z.string()),
});
export type SentContact = z.infer<typeof sentContact>;

/** GET /contact-us/messages: one's own, oldest first. */
export const sentContactsAnswer = answer(z.array(sentContact));
