import { transact } from '#client/platform/db/transact.ts';
import type { UserDb, UserTables } from '#client/platform/db/user-db.ts';
import { enqueue } from '#client/platform/outbox/outbox.ts';
import { sendSoon } from '#client/platform/outbox/start-lanes.ts';
import type { Alert } from '#contract/alerts/alert.ts';
import type { AlertForm } from '#contract/alerts/alert-form.ts';
import { ALERTS, type AlertChange, alertCommands } from './alert-commands.ts';
import { titleOf } from './alert-texts.ts';

/** Queues a change, and discards refused ones of the same alert. */
async function change(db: UserDb, body: AlertChange): Promise<void> {
  await transact(db, [db.outbox], async (db) => {
    await discardRefused(db, body.id);
    await enqueue(db, { id: crypto.randomUUID(), lane: ALERTS, body, createdAt: Date.now() });
  });
  sendSoon(ALERTS);
}

/**
 * Creates or replaces an alert, now or once the server is reachable.
 * @param seen what the user saw of the price or the change; null if nothing
 */
export const putAlert = (
  db: UserDb,
  userId: string,
  { id = crypto.randomUUID(), alert, seen }: { id?: string | undefined; alert: AlertForm; seen: number | null },
): Promise<void> => change(db, { kind: 'put', userId, id, title: titleOf(alert), body: { alert, seen } });

export const pauseAlert = (db: UserDb, userId: string, alert: Alert, paused: boolean): Promise<void> =>
  change(db, { kind: 'pause', userId, id: alert.id, title: titleOf(alert), paused });

export const deleteAlert = (db: UserDb, userId: string, alert: Alert): Promise<void> =>
  change(db, { kind: 'delete', userId, id: alert.id, title: titleOf(alert) });

/** Brings a deleted alert back. One that had fired comes back paused, so that it does not fire again. */
export function restoreAlert(db: UserDb, userId: string, alert: Alert): Promise<void> {
  const { id, state, created_at: _created, fired_at: _fired, ...form } = alert;
  return putAlert(db, userId, { id, alert: { ...form, paused: form.paused || state === 'done' }, seen: null });
}

/** Discards refused changes of an alert, so that it shows as the server has it. */
export async function discardRefused(db: UserTables, id: string): Promise<void> {
  const refused = (await alertCommands(db)).filter(({ state, body }) => state === 'parked' && body.id === id);
  await db.outbox.bulkDelete(refused.flatMap(({ seq }) => seq ?? []));
}
