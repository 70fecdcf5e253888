import * as z from 'zod/mini';
import { sealedNote } from '#client/platform/session/sealed-note.ts';
import { MINUTE } from '#domain/clock.ts';

/** ms that a verification may take before what it needs is forgotten (docs/decisions.md). */
const LIFE = 10 * MINUTE;
/** ms of the countdown (spec §9). */
export const CODE_LIFE = 3 * MINUTE;

/** What the code screen has to know: whose code, what for, and until when. Times in ms UTC. */
const verification = z.object({
  purpose: z.enum(['sign-up', 'email', 'forgot-password']),
  email: z.string(),
  /** For logging in after sign-up. */
  password: z.optional(z.string()),
  /** The server's id of this device's sign-up. */
  registration: z.optional(z.string()),
  codeEndsAt: z.number(),
  expiresAt: z.number(),
});
export type Verification = z.infer<typeof verification>;

export const verificationNote = sealedNote('verification', verification);

/** Called when a code has just been mailed. */
export function beginVerification(
  about: Pick<Verification, 'purpose' | 'email' | 'password' | 'registration'>,
  now = Date.now(),
): Promise<void> {
  return verificationNote.keep({ ...about, codeEndsAt: now + CODE_LIFE, expiresAt: now + LIFE });
}
