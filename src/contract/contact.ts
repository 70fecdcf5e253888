import * as z from 'zod/mini';
import { email } from './account';

/** Spec §5, to the letter. */
const CONTACT_COMPLAINTS = { nameRequired: 'Name is required!', messageRequired: 'Type Message is required!' } as const;

const MAX_NAME = 200;
const MAX_MESSAGE = 5000;

/**
 * POST /user/delete/send-request (spec §6: an account is deleted on request). JSON; takes an Idempotency-Key.
 * The account's own address counts, whatever `email` says. Answers `messageAnswer`.
 */
export const deletionRequestBody = z.object({
  user_id: z.string().check(z.maxLength(64)),
  name: z
    .string(CONTACT_COMPLAINTS.nameRequired)
    .check(z.trim(), z.minLength(1, CONTACT_COMPLAINTS.nameRequired), z.maxLength(MAX_NAME, `At most ${MAX_NAME} characters`)),
  email,
  message: z
    .string(CONTACT_COMPLAINTS.messageRequired)
    .check(z.trim(), z.minLength(1, CONTACT_COMPLAINTS.messageRequired), z.maxLength(MAX_MESSAGE, `At most ${MAX_MESSAGE} characters`)),
});
export type DeletionRequestBody = z.infer<typeof deletionRequestBody>;
