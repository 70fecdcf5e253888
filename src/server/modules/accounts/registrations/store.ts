import { and, desc, eq, inArray, isNull, type SQL } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/open.ts';
import { registrations, users } from '#server/db/schema/users.ts';
import type { UserRow } from '../store.ts';

export type Registration = typeof registrations.$inferSelect;

/** Maximum pending registrations. Beyond these, the oldest are deleted. */
const MAX_OF_ADDRESS = 5;
const MAX_OF_ADDRESS_AND_NETWORK = 2;
const MAX_OF_NETWORK = 500;

/** Stores a registration. Lock the address's guard first. */
export async function addRegistration(tx: Tx, row: typeof registrations.$inferInsert & { network: string }): Promise<Registration> {
  const ofAddress = eq(registrations.email, row.email);
  const ofNetwork = eq(registrations.network, row.network);
  // A network replaces its own registrations first, so that it cannot push out others.
  await keepNewest(tx, and(ofAddress, ofNetwork), MAX_OF_ADDRESS_AND_NETWORK - 1);
  await keepNewest(tx, ofAddress, MAX_OF_ADDRESS - 1);
  await keepNewest(tx, ofNetwork, MAX_OF_NETWORK - 1);
  const [stored] = await tx.insert(registrations).values(row).returning();
  if (!stored) throw new Error('a registration was not stored');
  return stored;
}

async function keepNewest(tx: Tx, matching: SQL | undefined, count: number): Promise<void> {
  const older = tx
    .select({ id: registrations.id })
    .from(registrations)
    .where(matching)
    .orderBy(desc(registrations.createdAt), registrations.id)
    .offset(count);
  await tx.delete(registrations).where(inArray(registrations.id, older));
}

/** Returns an address's pending registrations, newest first. */
export const findRegistrations = (db: Db | Tx, email: string): Promise<Registration[]> =>
  db.select().from(registrations).where(eq(registrations.email, email)).orderBy(desc(registrations.createdAt), registrations.id);

export async function findRegistration(tx: Tx, id: string): Promise<Registration | undefined> {
  const [found] = await tx.select().from(registrations).where(eq(registrations.id, id));
  return found;
}

/** Turns a registration into an account and deletes the address's others. Returns undefined when the address has an account. */
export async function promoteRegistration(tx: Tx, registration: Registration, at: Date): Promise<UserRow | undefined> {
  const { id, email, firstName, lastName, country, passwordHash, createdAt } = registration;
  const account = { firstName, lastName, country, passwordHash, verifiedAt: at };
  const [user] = await tx
    .insert(users)
    .values({ id, email, createdAt, ...account })
    .onConflictDoUpdate({ target: users.email, set: account, setWhere: isNull(users.verifiedAt) })
    .returning();
  await tx.delete(registrations).where(eq(registrations.email, email));
  return user;
}
