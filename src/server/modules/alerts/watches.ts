import { and, eq, inArray } from 'drizzle-orm';
import { type AlertState, firstState, nextThreshold, type Threshold, thresholdOf } from '#domain/alerts/rules.ts';
import type { Tx } from '#server/db/open.ts';
import { alertPrices, alertWatches, type MOVES } from '#server/db/schema/alerts.ts';
import type { AlertRow } from './store.ts';

export type Move = (typeof MOVES)[number];
export type WatchRow = typeof alertWatches.$inferSelect;

/** Returns the level and side of a stored alert. */
export function thresholdOfRow({ kind, level, period }: Pick<AlertRow, 'kind' | 'level' | 'period'>): Threshold {
  if (kind !== 'percent') return thresholdOf({ kind, price: level });
  if (period === null) throw new Error('an alert of a change has no period');
  return thresholdOf({ kind, percent: level, period });
}

/** Returns the columns that tell at which value a watch's state can change. */
export function triggerOf(threshold: Threshold, state: AlertState): Pick<WatchRow, 'state' | 'move' | 'trigger'> {
  const next = nextThreshold(threshold, state);
  const { measure, side, level } = next ?? threshold;
  const isUp = side === 'above';
  return { state, move: `${measure} ${isUp ? 'up' : 'down'}`, trigger: !next ? null : isUp ? level : -level };
}

interface Watched {
  alerts: readonly AlertRow[];
  coinIds: readonly number[];
  /** What the user saw when making the alert. */
  seen?: number | null;
  now: Date;
}

/** Watches coins for running alerts, from `now` on. A watch that exists keeps its state. */
export async function watch(tx: Tx, { alerts, coinIds, seen = null, now }: Watched): Promise<void> {
  const rows = alerts.flatMap((alert): WatchRow[] => {
    const threshold = thresholdOfRow(alert);
    const trigger = triggerOf(threshold, firstState(threshold, seen));
    return coinIds.map((coinId) => ({ userId: alert.userId, alertId: alert.id, coinId, ...trigger, since: now }));
  });
  if (rows.length === 0) return;
  await tx.insert(alertWatches).values(rows).onConflictDoNothing();
  await tx
    .insert(alertPrices)
    // In one order, so that two users who watch the same coins cannot deadlock.
    .values([...coinIds].sort((a, b) => a - b).map((coinId) => ({ coinId, seenUntil: now, seenFrom: now, changedAt: now })))
    .onConflictDoUpdate({ target: alertPrices.coinId, set: { changedAt: now } });
}

/** Ends the watches of an alert. */
export async function unwatch(tx: Tx, userId: string, alertId: string): Promise<void> {
  await tx.delete(alertWatches).where(and(eq(alertWatches.userId, userId), eq(alertWatches.alertId, alertId)));
}

/** Ends the watches of a coin for these alerts. */
export async function unwatchCoin(
  tx: Tx,
  userId: string,
  { alerts, coinId }: { alerts: readonly AlertRow[]; coinId: number },
): Promise<void> {
  const ids = alerts.map(({ id }) => id);
  await tx
    .delete(alertWatches)
    .where(and(eq(alertWatches.userId, userId), inArray(alertWatches.alertId, ids), eq(alertWatches.coinId, coinId)));
}
