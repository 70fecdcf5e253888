import { and, desc, eq, inArray, isNull, type SQL } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/open.ts';
import { registrations, users } from '#server/db/schema/users.ts';
import type { UserRow } from '../store.ts';

export type Registration = typeof registrations.$inferSelect;

/** Registrations that wait at a time. Beyond these, the oldest of the same kind go. */
const MAX_OF_ADDRESS = 5;
const MAX_OF_ADDRESS_AND_NETWORK = 2;
const MAX_OF_NETWORK = 500;

/** Stores a registration beside the others of its address. Call it with the address's guard locked. */
export async function addRegistration(tx: Tx, row: typeof registrations.$inferInsert & { network: string }): Promise<Registration> {
  const ofAddress = eq(registrations.email, row.email);
  const ofNetwork = eq(registrations.network, row.network);
  // Room is made first, so that the new one stays. A network makes room among its own, so that it cannot push others out.
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

/** What waits for an address to be verified, newest first. */
export const findRegistrations = (db: Db | Tx, email: string): Promise<Registration[]> =>
  db.select().from(registrations).where(eq(registrations.email, email)).orderBy(desc(registrations.createdAt), registrations.id);

export async function findRegistration(tx: Tx, id: string): Promise<Registration | undefined> {
  const [found] = await tx.select().from(registrations).where(eq(registrations.id, id));
  return found;
}

/** Makes a registration the account of its address, and ends the others. Undefined when the address has an account already. */
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
