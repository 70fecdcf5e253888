import { and, eq, getTableColumns, isNotNull, sql } from 'drizzle-orm';
import { changeRows } from '#server/db/change-rows.ts';
import { keepNewest } from '#server/db/keep-newest.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { alertFirings, alertPrices, alerts, alertWatches } from '#server/db/schema/alerts.ts';
import type { AlertRow, FiringRow } from '../store.ts';
import type { Move, WatchRow } from '../watches.ts';

export type PriceRow = typeof alertPrices.$inferSelect;

/** The most that a coin's move reached, as a watch's trigger is written. */
export interface Probe {
  coinId: number;
  move: Move;
  value: number;
}

export type WatchKey = Pick<WatchRow, 'userId' | 'alertId' | 'coinId'>;

/** Returns whether any alert waits for a price. */
export async function hasWatches(db: Db): Promise<boolean> {
  const found = await db.select({ one: sql`1` }).from(alertWatches).where(isNotNull(alertWatches.trigger)).limit(1);
  return found.length > 0;
}

/** Returns how far each coin that has or had alerts is checked. */
export const readPrices = (db: Db): Promise<PriceRow[]> => db.select().from(alertPrices);

export const savePrices = (db: Db, rows: readonly Omit<PriceRow, 'changedAt'>[]): Promise<void> =>
  changeRows(db, alertPrices, { key: ['coinId'], set: ['seenUntil', 'seenFrom', 'high', 'low'], rows });

/** Returns the watches whose state can change, at most `limit` for each probe. Reads no others: one search of the index for each probe. */
export async function findReached(db: Db, probes: readonly Probe[], limit: number): Promise<WatchKey[]> {
  const list = (values: readonly unknown[]) => sql.param(`{${values.map((value) => `"${value}"`).join(',')}}`);
  const seen = sql`unnest(${list(probes.map(({ coinId }) => coinId))}::int[], ${list(probes.map(({ move }) => move))}::text[],
    ${list(probes.map(({ value }) => value))}::float8[]) as seen(coin, move, value)`;
  const { userId, alertId, coinId, move, trigger } = alertWatches;
  const reached = sql`select ${userId}, ${alertId}, ${coinId} from ${alertWatches}
    where ${coinId} = seen.coin and ${move} = seen.move and ${trigger} <= seen.value order by ${trigger} limit ${limit}`;
  return db
    .select({ userId: sql<string>`reached.user_id`, alertId: sql<string>`reached.alert_id`, coinId: sql<number>`reached.coin_id` })
    .from(sql`${seen} cross join lateral (${reached}) as reached`);
}

/** Locks watches, and returns them with their alerts. Leaves out those that are gone. */
export const lockWatches = (tx: Tx, keys: readonly WatchKey[]): Promise<{ watch: WatchRow; alert: AlertRow }[]> => {
  const { userId, alertId, coinId } = alertWatches;
  const wanted = sql`(${userId}, ${alertId}, ${coinId}) in (select * from unnest(${sql.param(keys.map((key) => key.userId))}::uuid[],
    ${sql.param(keys.map((key) => key.alertId))}::uuid[], ${sql.param(keys.map((key) => key.coinId))}::int[]))`;
  return tx
    .select({ watch: getTableColumns(alertWatches), alert: getTableColumns(alerts) })
    .from(alertWatches)
    .innerJoin(alerts, and(eq(alerts.userId, userId), eq(alerts.id, alertId)))
    .where(wanted)
    .orderBy(userId, alertId, coinId)
    .for('update', { of: alertWatches });
};

export const changeWatches = (tx: Tx, rows: readonly WatchRow[]): Promise<void> =>
  changeRows(tx, alertWatches, { key: ['userId', 'alertId', 'coinId'], set: ['state', 'move', 'trigger', 'since'], rows });

/** Stores firings, and when their alerts fired. Keeps a user's newest `keep`. */
export async function storeFirings(tx: Tx, firings: readonly FiringRow[], keep: number): Promise<void> {
  if (firings.length === 0) return;
  await tx.insert(alertFirings).values([...firings]);
  const fired = firings.map(({ userId, alertId: id, createdAt: firedAt }) => ({ userId, id, firedAt }));
  await changeRows(tx, alerts, { key: ['userId', 'id'], set: ['firedAt'], rows: fired });
  await keepNewest(
    tx,
    alertFirings,
    firings.map(({ userId }) => userId),
    keep,
  );
}
