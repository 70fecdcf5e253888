import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { busy } from '#server/http/errors.ts';
import { createSlots } from '#server/slots.ts';

/** Passwords that the process hashes at a time. One core stays free for other requests. */
const AT_ONCE = Math.max(1, availableParallelism() - 1);
/** Passwords that wait: a few seconds of work on one core. Further ones are refused with 503. */
const MAX_WAITING = 200;

const inSlot = createSlots(AT_ONCE, {
  queue: MAX_WAITING,
  refusal: () => busy('Many people are signing in right now. Please try again in a moment.'),
});

/**
 * Hashes with argon2id and the package's defaults: 19 MiB, two passes, one thread.
 * @throws Problem 503 if too many passwords wait
 */
export const hashPassword = (password: string): Promise<string> => inSlot(() => hash(password));

/** A valid hash that no password matches. */
const NO_ACCOUNT = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/**
 * Returns whether the password matches. Without a hash (unknown account) it returns false after the same time.
 * @throws Problem 503 if too many passwords wait
 */
export async function passwordMatches(password: string, passwordHash: string | undefined): Promise<boolean> {
  const matches = await inSlot(() => verify(passwordHash ?? NO_ACCOUNT, password));
  return passwordHash !== undefined && matches;
}
