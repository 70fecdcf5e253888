import * as z from 'zod/mini';
import { sealedNote } from '#client/platform/notes/sealed-note.ts';
import { MINUTE } from '#domain/clock.ts';

/** ms. The note holds a password, so it expires. */
const NOTE_LIFE = 10 * MINUTE;
/** ms until a code expires. */
export const CODE_LIFE = 3 * MINUTE;

/** What the code screen needs. Times in ms UTC. */
const verification = z.object({
  purpose: z.enum(['sign-up', 'email', 'forgot-password']),
  email: z.string(),
  /** To log in after sign-up. */
  password: z.optional(z.string()),
  /** The server's id of this device's sign-up. */
  registration: z.optional(z.string()),
  codeEndsAt: z.number(),
  expiresAt: z.number(),
});
export type Verification = z.infer<typeof verification>;

export const verificationNote = sealedNote('verification', verification);

/** Stores what the code screen needs. Call it right after a code was sent. */
export function beginVerification(
  about: Pick<Verification, 'purpose' | 'email' | 'password' | 'registration'>,
  now = Date.now(),
): Promise<void> {
  return verificationNote.keep({ ...about, codeEndsAt: now + CODE_LIFE, expiresAt: now + NOTE_LIFE });
}
