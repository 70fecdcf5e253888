import type { FastifyInstance } from 'fastify';
import { HOUR, MINUTE } from '#domain/clock.ts';
import type { Db } from '../db/open.ts';
import type { CountClock } from '../db/windows.ts';
import { createSharedJob } from '../housekeeping/shared-job.ts';
import { collectOrphans } from './collect-orphans.ts';
import { moveRows } from './move-rows.ts';
import type { UserBlobs } from './user-blobs.ts';

/** How often each process asks whether a run is due, and the time between two runs, ms: shorter, because timers are not exact. */
const LOOK_INTERVAL = HOUR;
const INTERVAL = 55 * MINUTE;

/** Moves pictures out of old rows and removes orphaned blobs, after listening and every hour, in one process at a time. */
export function maintainBlobs(app: FastifyInstance, { db, blobs, clock }: { db: Db; blobs: UserBlobs; clock: CountClock }): void {
  const job = createSharedJob({
    ...{ db, clock },
    name: 'blobs',
    interval: INTERVAL,
    lookInterval: LOOK_INTERVAL,
    async run({ now, pause }) {
      await moveRows(db, blobs, pause);
      const removed = await collectOrphans(db, blobs, now, pause);
      if (removed > 0) app.log.info({ removed }, 'orphaned blobs removed');
    },
    report: (err) => app.log.error({ err }, 'blob maintenance failed; it retries within an hour'),
  });
  app.addHook('onListen', async () => job.start());
  app.addHook('onClose', job.close);
}
