import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { cryptoDetailsAnswer } from '#contract/market/coin-details.ts';
import { coinIdText, marketListBody } from '#contract/market/market.ts';
import { marketListQuery } from '#contract/market/market-list-query.ts';
import { searchAnswer } from '#contract/market/search.ts';
import { idText, searchText } from '#contract/text.ts';
import { MINUTE } from '#domain/clock.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { notFound } from '#server/http/errors.ts';
import { limitBy } from '#server/http/rate-limits.ts';
import { sendAnswer, sendRevalidated } from './send-answer.ts';
import type { MarketService } from './service.ts';

/** Coins that one user may open per minute: a coin outside the list can cost provider credits. */
const DETAILS = { name: 'coin details', max: 120, timeWindow: MINUTE };

const searchParams = z.object({ text: z.optional(searchText) });
const detailsParams = z.object({ cryptoId: coinIdText, userId: idText });

interface Parts {
  market: MarketService;
  /** Returns whether the coin is in the user's watchlist. */
  isWatched: (userId: string, cryptoId: number) => Promise<boolean>;
}

/** Registers the market list, the coin search and coin details. */
export function marketRoutes(scope: FastifyInstance, { market, isWatched }: Parts): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.post('/coin-market/get-data', { schema: { body: marketListBody } }, async (request, reply) =>
    sendAnswer(request, reply, await market.list(request.body)),
  );

  // The same list for callers with an HTTP cache, which revalidate it by its ETag.
  app.get('/coin-market/get-data', { schema: { querystring: marketListQuery } }, async (request, reply) =>
    sendRevalidated(request, reply, await market.list(request.query)),
  );

  app.get('/coin-market/global', async (request, reply) => sendRevalidated(request, reply, await market.totals()));

  // The app sends a single space for an empty text; an empty path is accepted too.
  app.get('/coin-market/global-search/:text?', { schema: { params: searchParams, response: { 200: searchAnswer } } }, async (request) => ({
    status: 200,
    data: await market.search(request.params.text ?? ''),
  }));

  app.get(
    '/coin-market/get-single-data/:cryptoId/:userId',
    {
      schema: { params: detailsParams, response: { 200: cryptoDetailsAnswer } },
      preHandler: limitBy(app, DETAILS, (request) => identityOf(request).userId),
    },
    async (request) => {
      const { userId } = identityOf(request);
      if (request.params.userId !== userId) throw notFound();
      const found = await market.details(Number(request.params.cryptoId));
      if (!found) throw notFound('This coin is not available.');
      return { status: 200, data: { ...found, isWatchListed: await isWatched(userId, found.id) } };
    },
  );
}
