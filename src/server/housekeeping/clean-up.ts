import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { HOUR, MINUTE, SECOND } from '#domain/clock.ts';
import { readNumber } from '#server/db/count-rows.ts';
import type { Db } from '#server/db/open.ts';
import { type CountClock, timeOf } from '#server/db/windows.ts';
import { lead, resign } from '#server/lifecycle/leadership.ts';
import { readTimeMark, setMark } from './marks.ts';
import { tidy } from './tidy.ts';
import { vacuum } from './vacuum.ts';

/** Time between two cleanups of a database, and how often each process asks whether one is due, ms. */
const INTERVAL = 6 * HOUR;
const LOOK_INTERVAL = MINUTE;
/** Lease of the process that cleans up, ms: longer than its longest statement, which the database limits to 20 s. */
const LEASE = 30 * SECOND;
const RENEW = 5 * SECOND;
const JOB = 'cleanup';

interface Parts {
  db: Db;
  clock: CountClock;
  /** Whether nothing else vacuums the database. */
  isEmbedded: boolean;
  report: (error: unknown) => void;
}

/** Ends a cleanup whose process closes or has lost the lease; another one continues it. */
class Ended extends Error {}

/** Cleans up the database, in one process at a time. */
export function createCleanUp({ db, clock, isEmbedded, report }: Parts) {
  const candidate = { name: JOB, owner: randomUUID() };
  const closing = new AbortController();
  let underway: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const takeLease = async () => (await lead(db, { ...candidate, lease: LEASE, now: timeOf(clock) })) !== null;

  /** Returns a function that rests as long as the statement before it took, and keeps the lease. */
  function createPause(): () => Promise<void> {
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

  async function run(): Promise<void> {
    const now = await readNumber(db, sql`select extract(epoch from ${timeOf(clock)}) * 1000`);
    const last = await readTimeMark(db, JOB, now);
    if ((last !== undefined && now - last < INTERVAL) || !(await takeLease())) return;
    try {
      const pause = createPause();
      await tidy(db, now, pause);
      // A new database has nothing to reclaim.
      if (isEmbedded && last !== undefined) await vacuum(db, pause);
      await setMark(db, JOB, String(now));
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
    } finally {
      await resign(db, candidate);
    }
  }

  function look(): void {
    underway ??= run()
      .catch(report)
      .finally(() => {
        underway = undefined;
      });
  }

  return {
    /** Call it when the server listens. */
    start(): void {
      look();
      timer = setInterval(look, LOOK_INTERVAL).unref();
    },

    async close(): Promise<void> {
      clearInterval(timer);
      closing.abort();
      await underway;
    },
  };
}
