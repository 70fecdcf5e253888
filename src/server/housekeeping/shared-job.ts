import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { SECOND } from '#domain/clock.ts';
import { readNumber } from '#server/db/count-rows.ts';
import type { Db } from '#server/db/open.ts';
import { type CountClock, timeOf } from '#server/db/windows.ts';
import { lead, resign } from '#server/lifecycle/leadership.ts';
import { readTimeMark, setMark } from './marks.ts';

/** Lease of the process that runs a job, ms: longer than its longest statement, which the database limits to 20 s. */
const LEASE = 30 * SECOND;
const RENEW = 5 * SECOND;

/** One run of a job. */
interface Run {
  /** The current time, ms. */
  now: number;
  /** When the last complete run began, ms. */
  last: number | undefined;
  /** Rests as long as the work since the last pause took, and keeps the lease. Throws when the run must end. */
  pause: () => Promise<void>;
}

interface Job {
  db: Db;
  clock: CountClock;
  /** Names the lease and the mark of the last run. */
  name: string;
  /** Time between two runs, and how often each process asks whether one is due, ms. */
  interval: number;
  lookInterval: number;
  /** Returns whether a due run may start; if not, it stays due. */
  mayRun?: (times: Pick<Run, 'now' | 'last'>) => Promise<boolean>;
  run: (run: Run) => Promise<void>;
  report: (error: unknown) => void;
}

/** Ends a run whose process closes or has lost the lease; another one continues it. */
class Ended extends Error {}

/** Runs a job again and again, in one process of a database at a time. */
export function createSharedJob({ db, clock, name, interval, lookInterval, mayRun = async () => true, run, report }: Job) {
  const candidate = { name, owner: randomUUID() };
  const closing = new AbortController();
  let underway: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const takeLease = async () => (await lead(db, { ...candidate, lease: LEASE, now: timeOf(clock) })) !== null;

  function createPause(): Run['pause'] {
    let [began, renewed] = [performance.now(), performance.now()];
    return async () => {
      await wait(performance.now() - began, undefined, { signal: closing.signal }).catch(() => undefined);
      if (closing.signal.aborted) throw new Ended();
      if (performance.now() - renewed > RENEW) {
        if (!(await takeLease())) throw new Ended();
        renewed = performance.now();
      }
      began = performance.now();
    };
  }

  async function runIfDue(): Promise<void> {
    const now = await readNumber(db, sql`select extract(epoch from ${timeOf(clock)}) * 1000`);
    const last = await readTimeMark(db, name, now);
    if (last !== undefined && now - last < interval) return;
    if (!(await mayRun({ now, last })) || !(await takeLease())) return;
    try {
      await run({ now, last, pause: createPause() });
      await setMark(db, name, String(now));
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
    } finally {
      await resign(db, candidate);
    }
  }

  function look(): void {
    underway ??= runIfDue()
      .catch(report)
      .finally(() => {
        underway = undefined;
      });
  }

  return {
    /** Call it when the server listens. */
    start(): void {
      look();
      timer = setInterval(look, lookInterval).unref();
    },

    async close(): Promise<void> {
      clearInterval(timer);
      closing.abort();
      await underway;
    },
  };
}
