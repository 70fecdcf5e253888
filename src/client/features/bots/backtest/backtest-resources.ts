import { call } from '#client/platform/api/call.ts';
import type { Resource } from '#client/platform/cache/resource.ts';
import { transact } from '#client/platform/db/transact.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import {
  type Backtest,
  type BacktestForm,
  type BacktestList,
  type BacktestReport,
  backtestAnswer,
  backtestListAnswer,
  backtestRemovedAnswer,
  backtestReportAnswer,
} from '#contract/bots/backtest.ts';
import { SECOND } from '#domain/clock.ts';

/** Id under which the list is stored beside the backtests. */
const LIST = 'list';
const INTERVAL = SECOND;

/** Whether a backtest is queued or running. */
export const isActive = ({ status }: Backtest): boolean => status !== 'DONE' && status !== 'FAILED';

/** Returns the polling interval, ms; 0 if no backtest is queued or running. */
export const pollBacktests = (backtests: readonly Backtest[]): number => (backtests.some(isActive) ? INTERVAL : 0);

const pathOf = (id: string): string => `/backtests/${encodeURIComponent(id)}`;

/** The user's backtests, newest first, and the candles that the server has. */
export const backtestList: Resource<Record<string, never>, BacktestList, BacktestList> = {
  key: () => 'backtests',
  fetch: async () => (await call('/backtests', { answer: backtestListAnswer })).data,

  async write(db, _params, list) {
    const ids = new Set([LIST, ...list.backtests.map(({ id }) => id)]);
    const gone = (await db.backtests.toCollection().primaryKeys()).filter((id) => !ids.has(id));
    await db.backtests.bulkDelete(gone);
    await db.stamps.bulkDelete(gone.map((id) => backtestReport.key({ id })));
    await db.backtests.put({ id: LIST, list });
  },

  read: async (db) => (await db.backtests.get(LIST))?.list,
};

/** One backtest with its curves and trades. */
export const backtestReport: Resource<{ id: string }, BacktestReport, BacktestReport> = {
  key: ({ id }) => `backtest/${id}`,
  fetch: async ({ id }) => (await call(pathOf(id), { answer: backtestReportAnswer })).data,
  write: async (db, { id }, report) => void (await db.backtests.put({ id, report })),
  read: async (db, { id }) => (await db.backtests.get(id))?.report,
};

/** Starts a backtest. A second call with the same idempotency key does not start another. Throws like `call`. */
export const startBacktest = async (form: BacktestForm, key: string): Promise<Backtest> =>
  (await call('/backtests', { method: 'POST', body: form, key, answer: backtestAnswer })).data;

/** Deletes a backtest from the server and the device. The server cancels a running one. Throws like `call`. */
export async function deleteBacktest(db: UserDb, id: string): Promise<void> {
  await call(pathOf(id), { method: 'DELETE', answer: backtestRemovedAnswer });
  await transact(db, [db.backtests, db.stamps], async (db) => {
    const list = (await db.backtests.get(LIST))?.list;
    if (list) await db.backtests.put({ id: LIST, list: { ...list, backtests: list.backtests.filter((each) => each.id !== id) } });
    await db.backtests.delete(id);
    await db.stamps.delete(backtestReport.key({ id }));
  });
}
