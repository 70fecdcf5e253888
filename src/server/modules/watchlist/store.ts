import { and, desc, eq } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/open.ts';
import { watchedCoins } from '#server/db/schema/market.ts';

export type WatchedRow = typeof watchedCoins.$inferSelect;

const mine = (userId: string, coinId: number) => and(eq(watchedCoins.userId, userId), eq(watchedCoins.coinId, coinId));

/** Does nothing for a coin that is already there. */
export async function insertWatched(tx: Tx, row: WatchedRow): Promise<void> {
  await tx.insert(watchedCoins).values(row).onConflictDoNothing();
}

export async function deleteWatched(tx: Tx, userId: string, coinId: number): Promise<void> {
  await tx.delete(watchedCoins).where(mine(userId, coinId));
}

export async function isWatched(db: Db, userId: string, coinId: number): Promise<boolean> {
  return (await db.$count(watchedCoins, mine(userId, coinId))) > 0;
}

export const countWatched = (db: Db, userId: string): Promise<number> => db.$count(watchedCoins, eq(watchedCoins.userId, userId));

/** Returns the user's coins, last added first. */
export const listWatched = (db: Db, userId: string): Promise<WatchedRow[]> =>
  db.select().from(watchedCoins).where(eq(watchedCoins.userId, userId)).orderBy(desc(watchedCoins.createdAt), desc(watchedCoins.coinId));
