import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { idText } from '#contract/text.ts';
import { type Clock, dayOf, HOUR, MINUTE } from '#domain/clock.ts';
import { PRODUCT } from '#domain/product.ts';
import type { Budgets } from '#server/budgets.ts';
import type { Db } from '#server/db/open.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { notFound, tooMany } from '#server/http/errors.ts';
import type { BlobStore } from '#server/ports/blobs/blob-store.ts';
import { endWhenStalled } from './end-when-stalled.ts';
import { exportFiles } from './files.ts';
import { zipStream } from './zip.ts';

/** Rate limit of one user's exports, across all processes. */
const EXPORTS = { max: 3, span: HOUR };
/** Concurrent exports in this process, for different users. */
const AT_ONCE = 2;
/** An export ends when its reader takes nothing for this long, or when it exceeds MAX_EXPORT_MS. */
const STALL_TIMEOUT_MS = MINUTE;
const MAX_EXPORT_MS = 15 * MINUTE;

const params = z.object({ userId: idText });

interface Parts {
  db: Db;
  clock: Clock;
  budgets: Budgets;
  blobStore: BlobStore;
  /** Reports ended sessions, whose exports end too. */
  onEnded: (listener: (sessionId: string) => void) => () => void;
  /** Polls for sessions that another process ended; undefined if there is no other one. Returns a function that stops it. */
  followSessions: ((watched: { held: () => readonly string[]; report: (error: unknown) => void }) => () => void) | undefined;
}

/** GET /user/{userId}/export: streams everything a user made as a ZIP. */
export function exportRoutes(scope: FastifyInstance, { db, clock, budgets, blobStore, onEnded, followSessions }: Parts): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const running = new Map<string, { sessionId: string; end: (why: string) => void }>();

  app.get('/user/:userId/export', { schema: { params }, exposeHeadRoute: false }, async (request, reply) => {
    const { userId, sessionId } = identityOf(request);
    if (request.params.userId !== userId) throw notFound();
    if (running.has(userId)) throw tooMany('An export of your data is running already. Wait until it ends.');
    if (running.size >= AT_ONCE) throw busy(reply, 60, 'Other exports are running. Please try again in a minute.');
    const place = { sessionId, end: (_: string): void => undefined };
    running.set(userId, place);
    try {
      if (!(await budgets.take(`export ${userId}`, EXPORTS)))
        throw busy(reply, 3600, `You can export your data ${EXPORTS.max} times an hour. Please try again later.`);
      const startedAt = new Date(clock());
      const zip = zipStream(exportFiles({ db, blobStore, userId, startedAt }), startedAt);
      place.end = (why) => zip.destroy(new Error(why));
      endWhenStalled(zip, { stalled: STALL_TIMEOUT_MS, longest: MAX_EXPORT_MS });
      zip.once('close', () => running.delete(userId));
      const name = `${PRODUCT.toLowerCase()}-export-${dayOf(startedAt.getTime())}.zip`;
      return reply.type('application/zip').header('content-disposition', `attachment; filename="${name}"`).send(zip);
    } catch (error) {
      running.delete(userId);
      throw error;
    }
  });

  const stopListening = onEnded((sessionId) => {
    for (const one of running.values()) if (one.sessionId === sessionId) one.end('the session of an export has ended');
  });
  // A message of another process may be lost.
  const held = () => [...running.values()].map(({ sessionId }) => sessionId);
  const report = (err: unknown) => app.log.error({ err }, 'polling for ended sessions of exports failed');
  const stopPolling = followSessions?.({ held, report });
  app.addHook('preClose', async () => {
    stopListening();
    stopPolling?.();
    for (const { end } of running.values()) end('the server stops');
  });
}

function busy(reply: { header(name: string, value: number): unknown }, seconds: number, message: string) {
  reply.header('retry-after', seconds);
  return tooMany(message);
}
