import { type Backtest, type BacktestForm, type BacktestList, type BacktestReport, MAX_BACKTESTS } from '#contract/bots/backtest.ts';
import type { BotAccess } from '#domain/bots/bot-access.ts';
import type { Clock } from '#domain/clock.ts';
import type { BacktestRunner } from '#server/backtests/backtest-runner.ts';
import { listCandleData } from '#server/backtests/candle-data.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { badRequest, forbidden, notFound, Problem, unavailable } from '#server/http/errors.ts';
import { createRuns } from './runs.ts';
import {
  type BacktestSummary,
  deleteBacktest,
  deleteOldest,
  findBacktest,
  findBacktests,
  insertBacktest,
  lockQueue,
  markBrokenOff,
} from './store.ts';

/** Backtests that wait or run at a time, over all users and processes. */
const MAX_ACTIVE = 20;
const BROKEN_OFF = 'The server stopped during this backtest. Run it again.';

interface Parts {
  db: Db;
  clock: Clock;
  runner: BacktestRunner;
  /** Returns whether a user's plan or account age allows bots. */
  accessOf: (db: Db, userId: string) => Promise<BotAccess>;
  report: (error: unknown) => void;
}

export type Backtests = ReturnType<typeof createBacktests>;

/** Creates the calls that users make on their backtests. */
export function createBacktests({ db, clock, runner, accessOf, report }: Parts) {
  const runs = createRuns({ db, runner, report });

  return {
    async list(userId: string): Promise<BacktestList> {
      await markBrokenOff(db, BROKEN_OFF);
      return { backtests: (await findBacktests(db, userId)).map(toBacktest), candles: listCandleData() };
    },

    async read(userId: string, id: string): Promise<BacktestReport> {
      await markBrokenOff(db, BROKEN_OFF);
      const row = await findBacktest(db, userId, id);
      if (!row) throw notFound();
      return { backtest: toBacktest(row), result: row.result };
    },

    /** Stores a backtest; `start` runs it after the commit. Throws 403, 400 for days without candles, 409 and 503. */
    async create(tx: Tx, userId: string, settings: BacktestForm): Promise<Backtest> {
      const access = await accessOf(tx, userId);
      if (!access.allowed) throw forbidden('no_access', access.message);
      demandCandles(settings);
      await markBrokenOff(tx, BROKEN_OFF);
      const active = await lockQueue(tx);
      const row = await insertBacktest(tx, { userId, settings, owner: runs.owner, createdAt: new Date(clock()) });
      if (!row) throw new Problem(409, 'backtest_running', 'You can run one backtest at a time. Wait for it to end, or cancel it.');
      if (active >= MAX_ACTIVE) throw unavailable('backtests_busy', 'Too many backtests are waiting. Try again in a few minutes.');
      await deleteOldest(tx, userId, MAX_BACKTESTS);
      return toBacktest(row);
    },

    start: ({ id, settings }: Backtest): void => runs.start(id, settings),

    /** Deletes a backtest. One that waits or runs is canceled. */
    async remove(tx: Tx, userId: string, id: string): Promise<void> {
      if (!(await deleteBacktest(tx, userId, id))) throw notFound();
    },

    cancel: runs.cancel,
    close: runs.close,
  };
}

/** Throws 400 if the server has no candles of this length or for these days. */
function demandCandles({ interval, from, to }: BacktestForm): void {
  const all = listCandleData();
  const data = all.find((each) => each.interval === interval);
  if (!data?.from || !data.to) {
    const names = all.flatMap((each) => (each.from === null ? [] : each.interval));
    throw badRequest('no_candles', `This server only has candles of ${names.join(', ')}. Choose one of these lengths.`);
  }
  if (from < data.from || to > data.to)
    throw badRequest('outside_candles', `There are ${interval} candles from ${data.from} to ${data.to}. Choose days in this range.`);
}

const toBacktest = ({ id, status, progress, reason, settings, createdAt, performance }: BacktestSummary): Backtest => ({
  id,
  status,
  progress,
  reason,
  settings,
  created_at: createdAt.toISOString(),
  performance,
});
