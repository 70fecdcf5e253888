import { and, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/open.ts';
import { alertFirings, alerts, alertWatches } from '#server/db/schema/alerts.ts';

export type AlertRow = typeof alerts.$inferSelect;
export type FiringRow = typeof alertFirings.$inferSelect;
type WatchState = typeof alertWatches.$inferSelect.state;

const mine = (userId: string, id: string) => and(eq(alerts.userId, userId), eq(alerts.id, id));

/** Returns a user's alerts, newest first. `state` is null without exactly one coin to watch. */
export const listAlerts = (db: Db, userId: string): Promise<(AlertRow & { state: WatchState | null })[]> =>
  db
    .select({ ...getTableColumns(alerts), state: alertWatches.state })
    .from(alerts)
    .leftJoin(
      alertWatches,
      and(eq(alertWatches.userId, alerts.userId), eq(alertWatches.alertId, alerts.id), eq(alertWatches.coinId, alerts.coinId)),
    )
    .where(eq(alerts.userId, userId))
    .orderBy(desc(alerts.createdAt), desc(alerts.id));

export async function findAlert(db: Db, userId: string, id: string): Promise<AlertRow | undefined> {
  const [row] = await db.select().from(alerts).where(mine(userId, id));
  return row;
}

/** Returns the ids of a user's alerts, and whether each is for the watchlist. */
export const listAlertIds = (tx: Tx, userId: string): Promise<{ id: string; ofWatchlist: boolean }[]> =>
  tx
    .select({ id: alerts.id, ofWatchlist: sql<boolean>`${alerts.coinId} is null` })
    .from(alerts)
    .where(eq(alerts.userId, userId));

/** Creates or replaces an alert. One that is replaced keeps when it was created and when it fired. */
export async function storeAlert(tx: Tx, row: AlertRow): Promise<void> {
  const { userId: _user, id: _id, createdAt: _created, firedAt: _fired, ...set } = row;
  await tx
    .insert(alerts)
    .values(row)
    .onConflictDoUpdate({ target: [alerts.userId, alerts.id], set });
}

export async function storePaused(tx: Tx, userId: string, id: string, paused: boolean): Promise<void> {
  await tx.update(alerts).set({ paused }).where(mine(userId, id));
}

export async function deleteAlert(tx: Tx, userId: string, id: string): Promise<void> {
  await tx.delete(alerts).where(mine(userId, id));
}

/** Returns a user's running alerts for the whole watchlist. */
export const listWatchlistAlerts = (tx: Tx, userId: string): Promise<AlertRow[]> =>
  tx
    .select()
    .from(alerts)
    .where(and(eq(alerts.userId, userId), isNull(alerts.coinId), eq(alerts.paused, false)));

/** Returns a user's latest firings, newest first. */
export const listFirings = (db: Db, userId: string, count: number): Promise<FiringRow[]> =>
  db
    .select()
    .from(alertFirings)
    .where(eq(alertFirings.userId, userId))
    .orderBy(desc(alertFirings.createdAt), desc(alertFirings.id))
    .limit(count);
