import { eq, isNull, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../db/open';
import { users } from '../../db/schema';

export type UserRow = typeof users.$inferSelect;

/** As emails are stored and looked up. */
export const normalEmail = (email: string) => email.trim().toLowerCase();

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  const [user] = await db.select().from(users).where(eq(users.email, email));
  return user;
}

export async function findUser(db: Db, userId: string): Promise<UserRow | undefined> {
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  return user;
}

/** The same with the row held until the transaction ends, so that two tries of a code are counted one after the other. */
export async function lockUserByEmail(tx: Tx, email: string): Promise<UserRow | undefined> {
  const [user] = await tx.select().from(users).where(eq(users.email, email)).for('update');
  return user;
}

export async function lockUser(tx: Tx, userId: string): Promise<UserRow | undefined> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update');
  return user;
}

/** Stores a registration. One for the same address that was never verified gives way; undefined when it was verified. */
export async function insertOrReplaceUnverified(tx: Tx, row: typeof users.$inferInsert): Promise<UserRow | undefined> {
  const { firstName, lastName, country, passwordHash } = row;
  const [user] = await tx
    .insert(users)
    .values(row)
    .onConflictDoUpdate({ target: users.email, set: { firstName, lastName, country, passwordHash }, setWhere: isNull(users.verifiedAt) })
    .returning();
  return user;
}

/** The first time counts. */
export async function setVerified(tx: Tx, userId: string, at: Date): Promise<void> {
  await tx
    .update(users)
    .set({ verifiedAt: sql`coalesce(${users.verifiedAt}, ${at.toISOString()}::timestamptz)` })
    .where(eq(users.id, userId));
}
