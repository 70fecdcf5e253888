import { and, eq, inArray, lte, ne } from 'drizzle-orm';
import type { PlanType } from '#contract/plan-types.ts';
import { PRODUCTS } from '#contract/subscription.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { storeEvents, subscriptions } from '#server/db/schema/subscriptions.ts';
import { users } from '#server/db/schema/users.ts';
import type { Payments, StoreState } from '#server/ports/payments/payments.ts';

export type SubscriptionRow = typeof subscriptions.$inferSelect;
type Store = Payments['kind'];

/** Returns what a user has paid for at this store. Purchases at another store, such as the test store, do not count. */
export async function findSubscription(db: Db, userId: string, store: Store): Promise<SubscriptionRow | undefined> {
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), eq(subscriptions.store, store)));
  return row;
}

export interface CustomerRow {
  /** Undefined for a deleted user. */
  appUserId: string | undefined;
  /** What the user has paid for at this store. */
  paid: SubscriptionRow | undefined;
}

export async function findCustomerRow(db: Db, userId: string, store: Store): Promise<CustomerRow> {
  const [row] = await db
    .select({ appUserId: users.appUserId, paid: subscriptions })
    .from(users)
    .leftJoin(subscriptions, and(eq(subscriptions.userId, users.id), eq(subscriptions.store, store)))
    .where(eq(users.id, userId));
  return { appUserId: row?.appUserId, paid: row?.paid ?? undefined };
}

/** Stores what the store answered at `askedAt`, unless a later answer is stored. The transaction must lock the user. */
export async function saveWord(tx: Tx, userId: string, store: Store, state: StoreState | null, askedAt: Date): Promise<void> {
  const known = await findSubscription(tx, userId, store);
  if (known ? known.verifiedAt > askedAt : !state) return;
  const word = state
    ? {
        plan: PRODUCTS[state.product],
        store,
        endsAt: new Date(state.endsAt),
        renews: state.renews,
        nextPlan: state.nextProduct && PRODUCTS[state.nextProduct],
        verifiedAt: askedAt,
      }
    : undefined;
  // Keep the row of an unknown customer as an ended plan, so that an older answer cannot restore it.
  const ended = { endsAt: askedAt, renews: false, nextPlan: null, verifiedAt: askedAt };
  if (word)
    await tx
      .insert(subscriptions)
      .values({ userId, ...word })
      .onConflictDoUpdate({ target: subscriptions.userId, set: word });
  else await tx.update(subscriptions).set(ended).where(eq(subscriptions.userId, userId));
}

/** Returns ended subscriptions of users who were last notified of a paid plan. */
export const findEnded = (db: Db, store: Store, now: Date): Promise<SubscriptionRow[]> =>
  db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.store, store), lte(subscriptions.endsAt, now), ne(subscriptions.told, 'FREE')));

/** Records the plan that the user was notified of. */
export async function setTold(tx: Tx, userId: string, told: PlanType): Promise<void> {
  await tx.update(subscriptions).set({ told }).where(eq(subscriptions.userId, userId));
}

export async function appUserOf(db: Db, userId: string): Promise<string | undefined> {
  const [user] = await db.select({ appUserId: users.appUserId }).from(users).where(eq(users.id, userId));
  return user?.appUserId;
}

/** Locks a user until the transaction ends, so that concurrent purchases are processed one after the other. */
export async function lockCustomer(tx: Tx, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns the users with these app user ids. Stores also send ids of their own, such as anonymous ones. */
export function usersOf(db: Db, appUserIds: readonly string[]): Promise<{ id: string; appUserId: string }[]> {
  const own = appUserIds.filter((id) => UUID.test(id));
  return db.select({ id: users.id, appUserId: users.appUserId }).from(users).where(inArray(users.appUserId, own));
}

export const isHeard = async (db: Db, eventId: string): Promise<boolean> => (await db.$count(storeEvents, eq(storeEvents.id, eventId))) > 0;

export async function setHeard(db: Db, eventId: string, createdAt: Date): Promise<void> {
  await db.insert(storeEvents).values({ id: eventId, createdAt }).onConflictDoNothing();
}
