import * as z from 'zod/mini';
import { MINUTE } from '../../../domain/clock';
import { seal, unseal } from '../../platform/session/cipher';

const STORED = 'tidemark:verification';
/** ms that a verification may take before what it needs is forgotten (docs/decisions.md). */
const LIFE = 10 * MINUTE;
/** ms of the countdown (spec §9). */
export const CODE_LIFE = 3 * MINUTE;

/** What the code screen has to know: whose code, what for, and until when. Times in ms UTC. */
const verification = z.object({
  purpose: z.literal('sign-up'),
  email: z.string(),
  /** Empty once it is forgotten. */
  password: z.string(),
  codeEndsAt: z.number(),
  expiresAt: z.number(),
});
export type Verification = z.infer<typeof verification>;

/** Sealed, in this tab only: it holds a password. */
export async function keepVerification(value: Verification): Promise<void> {
  const sealed = new Uint8Array(await seal(value));
  sessionStorage.setItem(STORED, btoa(String.fromCharCode(...sealed)));
}

/** Called when a code has just been mailed. */
export function beginVerification(about: Pick<Verification, 'purpose' | 'email' | 'password'>, now = Date.now()): Promise<void> {
  return keepVerification({ ...about, codeEndsAt: now + CODE_LIFE, expiresAt: now + LIFE });
}

/** What was kept, unless it is too old or cannot be read; then it is removed. */
export async function readVerification(now = Date.now()): Promise<Verification | undefined> {
  const stored = sessionStorage.getItem(STORED);
  if (stored === null) return undefined;
  try {
    const kept = verification.parse(await unseal(Uint8Array.from(atob(stored), (letter) => letter.charCodeAt(0)).buffer));
    if (kept.expiresAt > now) return kept;
  } catch {
    // Sealed under a key that is gone, or not ours.
  }
  dropVerification();
  return undefined;
}

export const dropVerification = () => sessionStorage.removeItem(STORED);
