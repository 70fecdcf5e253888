import { eq } from 'drizzle-orm';
import { unauthorized } from '../http/errors.ts';
import type { Tx } from './open.ts';
import { users } from './schema/users.ts';

/**
 * Keeps a user to this transaction: whoever else holds the same one waits until it ends. For rules over several of a
 * user's rows, such as an allowance. Comes before any other lock, so that no two wait for each other. Throws 401 for a
 * user who is deleted, or is being deleted.
 */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  // Rows that refer to the user can be written meanwhile.
  const [user] = await tx.select({ erasingAt: users.erasingAt }).from(users).where(eq(users.id, userId)).for('no key update');
  if (!user || user.erasingAt) throw unauthorized();
}
