import { eq } from 'drizzle-orm';
import { unauthorized } from '../http/errors.ts';
import type { Tx } from './open.ts';
import { users } from './schema/users.ts';

/**
 * Locks a user until the transaction ends, for rules over several of the user's rows, such as an allowance. Take it before
 * any other lock, so that transactions cannot deadlock. Throws 401 for a user who is deleted or being deleted.
 */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  if (!(await lockUserIfThere(tx, userId))) throw unauthorized();
}

/** Like `lockUser`, but returns false for a user who is deleted or being deleted. */
export async function lockUserIfThere(tx: Tx, userId: string): Promise<boolean> {
  // This lock mode still lets other transactions insert rows that refer to the user.
  const [user] = await tx.select({ erasingAt: users.erasingAt }).from(users).where(eq(users.id, userId)).for('no key update');
  return user !== undefined && !user.erasingAt;
}
