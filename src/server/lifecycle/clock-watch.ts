import { sql } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import { type Clock, MINUTE, SECOND } from '#domain/clock.ts';
import { readNumber } from '../db/count-rows.ts';
import type { Db } from '../db/open.ts';
import { measure } from '../metrics/measurements.ts';

const INTERVAL = MINUTE;
/** Difference from which the clocks disagree, ms: ten times what a server with NTP is off. */
const MAX_DIFFERENCE = 5 * SECOND;

interface Parts {
  db: Db;
  clock: Clock;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
}

/** Compares the clock of this process with PostgreSQL's every minute, and logs once when they disagree and when they agree again. */
export function createClockWatch({ db, clock, log }: Parts) {
  let isOff = false;
  let timer: NodeJS.Timeout | undefined;
  let underway: Promise<void> | undefined;

  async function compare(): Promise<void> {
    const [before, from] = [clock(), performance.now()];
    const databaseTime = await readNumber(db, sql`select extract(epoch from clock_timestamp()) * 1000`);
    const half = (performance.now() - from) / 2;
    const ahead = before + half - databaseTime;
    measure('clock', { aheadSeconds: ahead / SECOND });
    // A slow answer leaves open when the database read its clock.
    if (Math.abs(ahead) - half > MAX_DIFFERENCE === isOff) return;
    isOff = !isOff;
    const seconds = Math.round(Math.abs(ahead) / SECOND);
    if (isOff)
      log.warn({ aheadSeconds: Math.round(ahead / SECOND) }, `the clock is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} PostgreSQL's`);
    else log.info("the clock agrees with PostgreSQL's again");
  }

  function look(): void {
    underway ??= compare()
      .catch(() => undefined) // readiness reports a database that is away
      .finally(() => {
        underway = undefined;
      });
  }

  return {
    start(): void {
      look();
      timer = setInterval(look, INTERVAL).unref();
    },
    async close(): Promise<void> {
      clearInterval(timer);
      await underway;
    },
  };
}
