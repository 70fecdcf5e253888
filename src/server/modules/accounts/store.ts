import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/open.ts';
import { users } from '#server/db/schema/users.ts';

export type UserRow = typeof users.$inferSelect;

/** Normalizes an email address for storage and lookup. */
export const normalEmail = (email: string) => email.trim().toLowerCase();

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  const [user] = await db.select().from(users).where(eq(users.email, email));
  return user;
}

export async function findUser(db: Db, userId: string): Promise<UserRow | undefined> {
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  return user;
}

/** Finds and locks a user's row, so that concurrent tries of a code are counted one by one. */
export async function lockUserByEmail(tx: Tx, email: string): Promise<UserRow | undefined> {
  const [user] = await tx.select().from(users).where(eq(users.email, email)).for('no key update');
  return user;
}

export async function lockUserRow(tx: Tx, userId: string): Promise<UserRow | undefined> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update');
  return user;
}

/** Returns a stable fake user id for an address without an account. */
export function fakeUserId(email: string, secretsKey: string): string {
  const hex = createHmac('sha256', secretsKey).update(`nobody ${email}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
