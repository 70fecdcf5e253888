import * as z from 'zod/mini';
import { sealedNote } from '#client/platform/session/sealed-note.ts';
import { MINUTE } from '#domain/clock.ts';

/** ms that the server's grant is good for (docs/decisions.md). */
const GRANT_LIFE = 10 * MINUTE;

/** Leave to set a new password once: what a right code was traded for. */
const reset = z.object({ email: z.string(), recoveryCode: z.string(), expiresAt: z.number() });

export const resetNote = sealedNote('reset', reset);

export const beginReset = (grant: { email: string; recoveryCode: string }, now = Date.now()): Promise<void> =>
  resetNote.keep({ ...grant, expiresAt: now + GRANT_LIFE });
