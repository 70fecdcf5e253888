import { and, desc, eq, sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/open.ts';
import { watchedCoins } from '#server/db/schema/market.ts';

export type WatchedRow = typeof watchedCoins.$inferSelect;
type NewRow = Omit<WatchedRow, 'place'>;

const mine = (userId: string, coinId: number) => and(eq(watchedCoins.userId, userId), eq(watchedCoins.coinId, coinId));

/** Does nothing for a coin that is already there. */
export async function insertWatched(tx: Tx, row: NewRow): Promise<void> {
  await tx.insert(watchedCoins).values(row).onConflictDoNothing();
}

export async function deleteWatched(tx: Tx, userId: string, coinId: number): Promise<void> {
  await tx.delete(watchedCoins).where(mine(userId, coinId));
}

export async function isWatched(db: Db, userId: string, coinId: number): Promise<boolean> {
  return (await db.$count(watchedCoins, mine(userId, coinId))) > 0;
}

export const countWatched = (db: Db, userId: string): Promise<number> => db.$count(watchedCoins, eq(watchedCoins.userId, userId));

/** Returns the user's coins in the user's order. Coins added since then come first, the newest on top. */
export const listWatched = (db: Db, userId: string): Promise<WatchedRow[]> =>
  db
    .select()
    .from(watchedCoins)
    .where(eq(watchedCoins.userId, userId))
    .orderBy(sql`${watchedCoins.place} asc nulls first`, desc(watchedCoins.createdAt), desc(watchedCoins.coinId));

/** Stores the order of the user's coins in one statement. */
export async function storeOrder(tx: Tx, userId: string, ids: readonly number[]): Promise<void> {
  const place = sql`array_position(${sql.param(`{${ids.join(',')}}`)}::int[], ${watchedCoins.coinId}) - 1`;
  await tx.update(watchedCoins).set({ place }).where(eq(watchedCoins.userId, userId));
}
