import * as z from 'zod/mini';
import { sealedNote } from '#client/platform/notes/sealed-note.ts';
import { MINUTE } from '#domain/clock.ts';

/** ms for which the server accepts the grant. */
const GRANT_LIFE = 10 * MINUTE;

/** The server's one-use grant to set a new password, given for a correct code. */
const reset = z.object({ email: z.string(), recoveryCode: z.string(), expiresAt: z.number() });

export const resetNote = sealedNote('reset', reset);

/** Stores the grant for the reset screen. */
export const beginReset = (grant: { email: string; recoveryCode: string }, now = Date.now()): Promise<void> =>
  resetNote.keep({ ...grant, expiresAt: now + GRANT_LIFE });
