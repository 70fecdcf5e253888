import { hash, verify } from '@node-rs/argon2';

/** argon2id with the package's defaults: 19 MiB, two passes, one thread. */
export const hashPassword = (password: string): Promise<string> => hash(password);

/** A well-formed hash that no password has: its salt and its digest were never computed from one. */
const NOBODY = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** False for an account that does not exist (no hash), after the same work as for one that does. */
export async function passwordMatches(password: string, passwordHash: string | undefined): Promise<boolean> {
  const matches = await verify(passwordHash ?? NOBODY, password);
  return passwordHash !== undefined && matches;
}
