import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { WATCH } from '#contract/market/choices.ts';
import { moveAnswer, moveBody, watchAnswer, watchBody, watchlistAnswer, watchlistBody } from '#contract/market/watchlist.ts';
import { idText } from '#contract/text.ts';
import type { Db } from '#server/db/open.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { notFound } from '#server/http/errors.ts';
import { withIdempotencyKey } from '#server/http/idempotency.ts';
import type { Watchlists } from './service.ts';

const ownerParams = z.object({ userId: idText });

/** Registers adding, removing and listing watched coins. */
export function watchlistRoutes(scope: FastifyInstance, { db, watchlists }: { db: Db; watchlists: Watchlists }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.post('/watchlist', { schema: { body: watchBody, response: { 200: watchAnswer } } }, async (request) => {
    const { userId } = identityOf(request);
    const { userId: owner, cryptoId, actionType } = request.body;
    if (owner !== userId) throw notFound();
    const added = actionType === WATCH.add && (await watchlists.identify(request.body));
    const answer = await withIdempotencyKey(db, request, async (tx) => {
      await (added ? watchlists.add(tx, userId, added) : watchlists.remove(tx, userId, cryptoId));
      return { status: 200, body: { status: 200, data: { cryptoId, isWatchListed: actionType === WATCH.add } } };
    });
    return z.parse(watchAnswer, answer.body);
  });

  app.post(
    '/watchlist/:userId',
    { schema: { params: ownerParams, body: watchlistBody, response: { 200: watchlistAnswer } } },
    async (request) => {
      const { userId } = identityOf(request);
      if (request.params.userId !== userId) throw notFound();
      return { status: 200, ...(await watchlists.page(userId, request.body)) };
    },
  );

  app.post(
    '/watchlist/:userId/order',
    { schema: { params: ownerParams, body: moveBody, response: { 200: moveAnswer } } },
    async (request) => {
      const { userId } = identityOf(request);
      if (request.params.userId !== userId) throw notFound();
      const answerWith = (ids: number[]) => ({ status: 200, body: { status: 200, data: { ids } } });
      const answer = await withIdempotencyKey(db, request, async (tx) => answerWith(await watchlists.move(tx, userId, request.body)), {
        reread: async (tx) => answerWith(await watchlists.order(tx, userId)),
      });
      return z.parse(moveAnswer, answer.body);
    },
  );
}
