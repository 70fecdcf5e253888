import { HOUR, MINUTE } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import type { CountClock } from '#server/db/windows.ts';
import { createSharedJob } from './shared-job.ts';
import { tidy } from './tidy.ts';
import { vacuum } from './vacuum.ts';

/** Time between two cleanups of a database, and how often each process asks whether one is due, ms. */
const INTERVAL = 6 * HOUR;
const LOOK_INTERVAL = MINUTE;

interface Parts {
  db: Db;
  clock: CountClock;
  /** Whether nothing else vacuums the database. */
  isEmbedded: boolean;
  report: (error: unknown) => void;
}

/** Cleans up the database, in one process at a time. */
export const createCleanUp = ({ db, clock, isEmbedded, report }: Parts) =>
  createSharedJob({
    ...{ db, clock, report },
    name: 'cleanup',
    interval: INTERVAL,
    lookInterval: LOOK_INTERVAL,
    async run({ now, last, pause }) {
      await tidy(db, now, pause);
      // A new database has nothing to reclaim.
      if (isEmbedded && last !== undefined) await vacuum(db, pause);
    },
  });
