import type { FastifyBaseLogger } from 'fastify';
import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import type { CountClock } from '#server/db/windows.ts';
import { readTimeMark, setMark } from './marks.ts';
import { createSharedJob } from './shared-job.ts';
import { tidy } from './tidy.ts';
import { vacuum } from './vacuum.ts';

/** Time between two cleanups of a database, and how often each process asks whether one is due, ms. */
const INTERVAL = 6 * HOUR;
const LOOK_INTERVAL = MINUTE;

/** Time since the last cleanup from which the clock may be wrong: the server did not run for this long, or the clock was set ahead. */
const LEAP = 7 * DAY;
const HELD = 'cleanup held';

interface Parts {
  db: Db;
  clock: CountClock;
  /** Whether nothing else vacuums the database. */
  isEmbedded: boolean;
  log: Pick<FastifyBaseLogger, 'warn'>;
  report: (error: unknown) => void;
}

/** Returns whether the clock may be trusted. After a leap the cleanup waits for its interval, so that a wrong clock can be set first. */
async function isTrusted({ db, log }: Parts, now: number, last = now): Promise<boolean> {
  if (now - last <= LEAP) return true;
  const held = (await readTimeMark(db, HELD, now)) ?? 0;
  if (held > last) return now - held >= INTERVAL;
  await setMark(db, HELD, String(now));
  log.warn(
    { now: new Date(now), lastCleanup: new Date(last) },
    `the last cleanup was ${Math.floor((now - last) / DAY)} days ago by the clock; if that is right, the next one starts in ${INTERVAL / HOUR} hours`,
  );
  return false;
}

/** Cleans up the database, in one process at a time. */
export function createCleanUp(parts: Parts) {
  const { db, clock, isEmbedded, report } = parts;
  return createSharedJob({
    ...{ db, clock, report },
    name: 'cleanup',
    interval: INTERVAL,
    lookInterval: LOOK_INTERVAL,
    mayRun: ({ now, last }) => isTrusted(parts, now, last),
    async run({ now, last, pause }) {
      await tidy(db, now, pause);
      // A new database has nothing to reclaim.
      if (isEmbedded && last !== undefined) await vacuum(db, pause);
    },
  });
}
