import { createHash, timingSafeEqual } from 'node:crypto';

/** Returns what the database stores of a random token. 32 random bytes need no slow or keyed hash. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Compares a stored token with a given one, in a time that does not tell where they differ. */
export function isSameToken(known: string, given: string): boolean {
  const [one, other] = [Buffer.from(known), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
