import type { FastifyInstance } from 'fastify';
import { type Clock, HOUR } from '#domain/clock.ts';
import type { Db } from '../db/open.ts';
import { collectOrphans } from './collect-orphans.ts';
import { moveRows } from './move-rows.ts';
import type { UserBlobs } from './user-blobs.ts';

const EVERY = HOUR;

/** Moves pictures out of old rows and removes orphaned blobs, at startup and every hour. */
export function maintainBlobs(app: FastifyInstance, { db, blobs, clock }: { db: Db; blobs: UserBlobs; clock: Clock }): void {
  const stopping = new AbortController();
  let underway: Promise<void> | undefined;

  async function maintain(): Promise<void> {
    await moveRows(db, blobs, stopping.signal);
    const removed = await collectOrphans(db, blobs, clock(), stopping.signal);
    if (removed > 0) app.log.info({ removed }, 'orphaned blobs removed');
  }

  function run(): void {
    underway ??= maintain()
      .catch((err: unknown) => app.log.error({ err }, 'blob maintenance failed; it retries within an hour'))
      .finally(() => {
        underway = undefined;
      });
  }

  const timer = setInterval(run, EVERY).unref();
  app.addHook('onReady', async () => run());
  app.addHook('onClose', async () => {
    clearInterval(timer);
    stopping.abort();
    await underway;
  });
}
