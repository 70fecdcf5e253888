import { randomUUID } from 'node:crypto';
import type { BacktestForm } from '#contract/bots/backtest.ts';
import type { Interval } from '#domain/bots/intervals.ts';
import { DAY, SECOND } from '#domain/clock.ts';
import { BacktestFailed, type BacktestRunner } from '#server/backtests/backtest-runner.ts';
import { type BacktestRequest, NothingToTrade } from '#server/backtests/run-request.ts';
import type { Db } from '#server/db/open.ts';
import { beat, finish, storeProgress } from './store.ts';

const HEARTBEAT = SECOND;

interface Run {
  cancel: AbortController;
  /** Progress, 0 to 1; undefined while the run waits for a thread. */
  done?: number;
}

/** Why a canceled run ended. */
class Canceled extends Error {}

const toRequest = ({ interval, from, to, position_size, leverage, max_drawdown }: BacktestForm): BacktestRequest => ({
  interval: interval as Interval,
  from: Date.parse(from),
  to: Date.parse(to) + DAY,
  capital: Number(position_size),
  leverage: Number(leverage),
  lossLimit: Number(max_drawdown),
});

interface Parts {
  db: Db;
  runner: BacktestRunner;
  report: (error: unknown) => void;
}

/** The backtests that this process runs. Heartbeats store their progress and end those that were deleted. */
export function createRuns({ db, runner, report }: Parts) {
  const owner = randomUUID();
  const runs = new Map<string, Run>();
  const ending = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let beating = false;

  async function heartbeat(): Promise<void> {
    if (beating) return;
    beating = true;
    try {
      const wanted = await beat(db, owner, [...runs.keys()]);
      for (const [id, { cancel, done }] of runs) {
        if (!wanted.has(id)) cancel.abort(new Canceled());
        else if (done !== undefined) await storeProgress(db, owner, id, done);
      }
    } finally {
      beating = false;
    }
  }

  async function execute(id: string, form: BacktestForm): Promise<void> {
    const run: Run = { cancel: new AbortController() };
    runs.set(id, run);
    timer ??= setInterval(() => heartbeat().catch(report), HEARTBEAT).unref();
    try {
      const onProgress = (done: number) => {
        run.done = done;
        // Later progress waits for the heartbeat.
        if (done === 0) storeProgress(db, owner, id, 0).catch(report);
      };
      const result = await runner.run(toRequest(form), { signal: run.cancel.signal, onProgress });
      await finish(db, owner, id, { status: 'DONE', result });
    } catch (error) {
      if (error instanceof Canceled) return;
      const isKnown = error instanceof NothingToTrade || error instanceof BacktestFailed;
      if (!isKnown || error.cause !== undefined) report(error);
      await finish(db, owner, id, { status: 'FAILED', reason: isKnown ? error.message : 'The backtest ended with an error.' });
    } finally {
      runs.delete(id);
      if (runs.size === 0) {
        clearInterval(timer);
        timer = undefined;
      }
    }
  }

  return {
    owner,

    /** Starts a stored backtest, or queues it until a thread is free. */
    start(id: string, form: BacktestForm): void {
      const ended = execute(id, form)
        .catch(report)
        .finally(() => ending.delete(ended));
      ending.add(ended);
    },

    /** Ends a run of this process at once. Other processes end theirs at the next heartbeat. */
    cancel: (id: string): void => runs.get(id)?.cancel.abort(new Canceled()),

    /** Ends all runs and stores their outcomes. */
    async close(): Promise<void> {
      await runner.close();
      await Promise.all(ending);
    },
  };
}
