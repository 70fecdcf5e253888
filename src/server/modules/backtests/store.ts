import { and, desc, eq, inArray, notInArray, sql } from 'drizzle-orm';
import type { BacktestResult } from '#contract/bots/backtest.ts';
import type { Performance } from '#contract/bots/bot.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { backtests } from '#server/db/schema/backtests.ts';

export type BacktestRow = typeof backtests.$inferSelect;
/** A row as lists show it, without its curves and trades. */
export type BacktestSummary = Omit<BacktestRow, 'result' | 'userId' | 'owner' | 'beatAt'> & { performance: Performance | null };

/** Id of the advisory lock under which the queue is counted. No other lock uses this number. */
const QUEUE_LOCK = 7303;
/** A run without a heartbeat for this long has failed. A heartbeat from the future means that the clock was set back. */
const isSilent = sql`(${backtests.beatAt} < now() - interval '30 seconds' or ${backtests.beatAt} > now() + interval '1 minute')`;
const isActive = inArray(backtests.status, ['QUEUED', 'RUNNING']);

const { id, status, settings, progress, reason, createdAt, result } = backtests;
const performance = sql<Performance | null>`${result}->'performance'`.as('performance');
const summary = { id, status, settings, progress, reason, createdAt, performance };
const mine = (userId: string, backtestId: string) => and(eq(backtests.userId, userId), eq(id, backtestId));

/** Returns the user's backtests, newest first. */
export const findBacktests = (db: Db, userId: string): Promise<BacktestSummary[]> =>
  db.select(summary).from(backtests).where(eq(backtests.userId, userId)).orderBy(desc(createdAt), desc(id));

export async function findBacktest(
  db: Db,
  userId: string,
  backtestId: string,
): Promise<(BacktestSummary & Pick<BacktestRow, 'result'>) | undefined> {
  const [row] = await db
    .select({ ...summary, result })
    .from(backtests)
    .where(mine(userId, backtestId));
  return row;
}

/** Returns the number of backtests that wait or run in all processes. The lock makes concurrent transactions wait until this one ends. */
export async function lockQueue(tx: Tx): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(${QUEUE_LOCK})`);
  return tx.$count(backtests, isActive);
}

/** Adds a backtest; undefined if the user has one that waits or runs. */
export async function insertBacktest(
  tx: Tx,
  row: Pick<BacktestRow, 'userId' | 'settings' | 'owner' | 'createdAt'>,
): Promise<BacktestSummary | undefined> {
  const [inserted] = await tx
    .insert(backtests)
    .values({ ...row, status: 'QUEUED' })
    .onConflictDoNothing()
    .returning({ id, status, settings, progress, reason, createdAt });
  return inserted && { ...inserted, performance: null };
}

/** Deletes the oldest backtests of a user beyond `most`. */
export async function deleteOldest(tx: Tx, userId: string, most: number): Promise<void> {
  const kept = tx.select({ id }).from(backtests).where(eq(backtests.userId, userId)).orderBy(desc(createdAt), desc(id)).limit(most);
  await tx.delete(backtests).where(and(eq(backtests.userId, userId), notInArray(id, kept), sql`not ${isActive}`));
}

/** Deletes a backtest, which also cancels it. Returns whether there was one. */
export async function deleteBacktest(db: Db, userId: string, backtestId: string): Promise<boolean> {
  return (await db.delete(backtests).where(mine(userId, backtestId)).returning({ id })).length > 0;
}

/** Marks runs whose process has stopped as failed. */
export async function markBrokenOff(db: Db, why: string): Promise<void> {
  await db.update(backtests).set({ status: 'FAILED', reason: why }).where(and(isActive, isSilent));
}

const ownedBy = (owner: string, ids: readonly string[]) => and(inArray(id, [...ids]), eq(backtests.owner, owner), isActive);

/** Stores a heartbeat for the runs of a process. Returns the ids of those that have not been deleted. */
export async function beat(db: Db, owner: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.update(backtests).set({ beatAt: sql`now()` }).where(ownedBy(owner, ids)).returning({ id });
  return new Set(rows.map((row) => row.id));
}

/** Stores a run's progress. */
export async function storeProgress(db: Db, owner: string, backtestId: string, done: number): Promise<void> {
  await db
    .update(backtests)
    .set({ status: 'RUNNING', progress: done })
    .where(ownedBy(owner, [backtestId]));
}

/** Stores a run's outcome. Does nothing for a run that was deleted or marked as failed. */
export async function finish(
  db: Db,
  owner: string,
  backtestId: string,
  end: { status: 'DONE'; result: BacktestResult } | { status: 'FAILED'; reason: string },
): Promise<void> {
  await db
    .update(backtests)
    .set({ ...end, progress: 1 })
    .where(ownedBy(owner, [backtestId]));
}
