import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/open.ts';
import { bots } from '#server/db/schema/bots.ts';
import type { CandleFeed } from '#server/ports/exchange/exchange.ts';

export type BotRow = typeof bots.$inferSelect;

/** Columns of a bot whose last cycle did not fail. */
export const NO_FAILURES = { failures: 0, retryAt: null, refusedSince: null } satisfies Partial<BotRow>;

/** Returns a `handledCandle` that covers all candles so far: the bot acts on the next one that closes. */
export const closedCandles = ({ now, interval }: Pick<CandleFeed, 'now' | 'interval'>): number => now() - interval;

/** Returns a user's bots, oldest first. */
export const findBots = (db: Db, userId: string): Promise<BotRow[]> =>
  db.select().from(bots).where(eq(bots.userId, userId)).orderBy(asc(bots.createdAt), asc(bots.id));

export async function findBot(db: Db, userId: string, id: string): Promise<BotRow | undefined> {
  const [row] = await db
    .select()
    .from(bots)
    .where(and(eq(bots.id, id), eq(bots.userId, userId)));
  return row;
}

/** Finds a bot and locks its row until the transaction ends. */
export async function lockBot(tx: Tx, userId: string, id: string): Promise<BotRow | undefined> {
  const [row] = await tx
    .select()
    .from(bots)
    .where(and(eq(bots.id, id), eq(bots.userId, userId)))
    .for('no key update');
  return row;
}

/** Locks all bots of a user until the transaction ends. */
export async function lockBots(tx: Tx, userId: string): Promise<void> {
  await tx.select({ id: bots.id }).from(bots).where(eq(bots.userId, userId)).orderBy(asc(bots.id)).for('no key update');
}

export async function insertBot(tx: Tx, row: typeof bots.$inferInsert): Promise<BotRow> {
  const [inserted] = await tx.insert(bots).values(row).returning();
  return inserted as BotRow;
}

export async function updateBot(db: Db, id: string, set: Partial<BotRow>): Promise<BotRow> {
  const [updated] = await db.update(bots).set(set).where(eq(bots.id, id)).returning();
  return updated as BotRow;
}

export const deleteBot = async (db: Db, id: string): Promise<void> => void (await db.delete(bots).where(eq(bots.id, id)));

/**
 * Returns whether any user's bot already trades on this exchange account. Each held SECRETS_KEY has its own digest of the account.
 * The locks make concurrent transactions on the same account wait until this one ends.
 */
export async function isAccountInUse(tx: Tx, keyDigests: readonly string[]): Promise<boolean> {
  for (const digest of [...keyDigests].sort()) await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${digest}, 0))`);
  return (await tx.$count(bots, inArray(bots.keyDigest, [...keyDigests]))) > 0;
}
