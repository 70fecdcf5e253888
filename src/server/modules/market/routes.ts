import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { coinIdText, cryptoDetailsAnswer, marketListBody, searchAnswer } from '#contract/market/market.ts';
import { marketListQuery } from '#contract/market/market-list-query.ts';
import { idText, searchText } from '#contract/text.ts';
import { MINUTE } from '#domain/clock.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { notFound } from '#server/http/errors.ts';
import type { HotLane } from '#server/http/hot-lane.ts';
import { limitBy } from '#server/http/rate-limits.ts';
import { encodingFor, type HotAnswer, names } from './compressed-answer.ts';
import type { MarketService } from './service.ts';

/** Below the API's prefix. */
export const LIST_PATH = '/coin-market/get-data';
const NOTHING = Buffer.alloc(0);
/** Coins that one user opens in a minute: a coin outside of the list may cost credits of the provider. */
const DETAILS = { max: 120, timeWindow: MINUTE };

const searchParams = z.object({ text: z.optional(searchText) });
const detailsParams = z.object({ cryptoId: coinIdText, userId: idText });

interface Parts {
  market: MarketService;
  /** Whether a user put a heart on a coin. */
  isWatched: (userId: string, cryptoId: number) => Promise<boolean>;
  hot: HotLane;
}

/** Spec §7: the market list, the search over all coins, and one coin in full. */
export function marketRoutes(scope: FastifyInstance, { market, isWatched, hot }: Parts): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.post(LIST_PATH, { schema: { body: marketListBody } }, async (request, reply) => {
    const answer = await market.list(request.body);
    const bytes = await packed(request, reply, answer);
    return hot.send(request, reply, bytes, answer.holds);
  });

  // The same list for callers with an HTTP cache: kept by them, and asked for again by its tag.
  app.get(LIST_PATH, { schema: { querystring: marketListQuery } }, async (request, reply) => {
    const answer = await market.list(request.query);
    const bytes = await packed(request, reply, answer);
    reply.header('cache-control', 'private, no-cache').header('etag', answer.etag);
    if (!names(request.headers['if-none-match'], answer.etag)) return hot.send(request, reply, bytes, answer.holds);
    return hot.send(request, reply.code(304).removeHeader('content-encoding').removeHeader('content-type'), NOTHING, answer.holds);
  });

  // Empty text comes as a single space (spec §7), or as nothing.
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
      if (!found) throw notFound('This coin is not known here.');
      return { status: 200, data: { ...found, isWatchListed: await isWatched(userId, found.id) } };
    },
  );
}

/** The answer as this caller takes it, with the headers that say how. */
async function packed(request: FastifyRequest, reply: FastifyReply, answer: HotAnswer): Promise<Buffer> {
  const encoding = encodingFor(request.headers['accept-encoding']);
  const vary = reply.getHeader('vary');
  // Beside what CORS has said there.
  reply.header('vary', vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding').type('application/json; charset=utf-8');
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return answer.bytes(encoding);
}
