import { hash, verify } from '@node-rs/argon2';

/** argon2id with the package's defaults: 19 MiB, two passes, one thread. */
export const hashPassword = (password: string): Promise<string> => hash(password);

/** A valid hash that no password matches. */
const NO_ACCOUNT = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Returns whether the password matches. Without a hash (unknown account) it returns false after the same time. */
export async function passwordMatches(password: string, passwordHash: string | undefined): Promise<boolean> {
  const matches = await verify(passwordHash ?? NO_ACCOUNT, password);
  return passwordHash !== undefined && matches;
}
