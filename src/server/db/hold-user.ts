import { eq } from 'drizzle-orm';
import type { Tx } from './open';
import { users } from './schema';

/**
 * Keeps a user to this transaction: whoever else holds the same one waits until it ends. For rules over several of a
 * user's rows, such as an allowance. Comes before any other lock, so that no two wait for each other.
 */
export async function holdUser(tx: Tx, userId: string): Promise<void> {
  // Rows that refer to the user can be written meanwhile.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}
