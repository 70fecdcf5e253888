import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { cryptoDetailsAnswer, marketListBody, searchAnswer } from '../../../contract/market';
import { marketListQuery } from '../../../contract/market-list-query';
import { identityOf } from '../../http/authenticate';
import { notFound } from '../../http/errors';
import { encodingFor, type HotAnswer, names } from './hot-answers';
import type { MarketService } from './service';

const searchParams = z.object({ text: z.optional(z.string()) });
const detailsParams = z.object({ cryptoId: z.string().check(z.regex(/^\d{1,9}$/, 'Not a coin id')), userId: z.string() });

interface Parts {
  market: MarketService;
  /** Whether a user put a heart on a coin. */
  isWatched: (userId: string, cryptoId: number) => Promise<boolean>;
}

/** Spec §7: the market list, the search over all coins, and one coin in full. */
export function marketRoutes(scope: FastifyInstance, { market, isWatched }: Parts): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.post('/coin-market/get-data', { schema: { body: marketListBody } }, async (request, reply) =>
    sendHot(request, reply, await market.list(request.body)),
  );

  // The same list for callers with an HTTP cache: kept by them, and asked for again by its tag.
  app.get('/coin-market/get-data', { schema: { querystring: marketListQuery } }, async (request, reply) => {
    const answer = await market.list(request.query);
    reply.header('cache-control', 'private, no-cache').header('etag', answer.etag);
    if (!names(request.headers['if-none-match'], answer.etag)) return sendHot(request, reply, answer);
    addVary(reply);
    return reply.code(304).send();
  });

  // Empty text comes as a single space (spec §7), or as nothing.
  app.get('/coin-market/global-search/:text?', { schema: { params: searchParams, response: { 200: searchAnswer } } }, async (request) => ({
    status: 200,
    data: await market.search(request.params.text ?? ''),
  }));

  app.get(
    '/coin-market/get-single-data/:cryptoId/:userId',
    { schema: { params: detailsParams, response: { 200: cryptoDetailsAnswer } } },
    async (request) => {
      const { userId } = identityOf(request);
      if (request.params.userId !== userId) throw notFound();
      const found = await market.details(Number(request.params.cryptoId));
      if (!found) throw notFound('This coin is not known here.');
      return { status: 200, data: { ...found, isWatchListed: await isWatched(userId, found.id) } };
    },
  );
}

async function sendHot(request: FastifyRequest, reply: FastifyReply, answer: HotAnswer): Promise<FastifyReply> {
  const encoding = encodingFor(request.headers['accept-encoding']);
  addVary(reply);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.type('application/json; charset=utf-8').send(await answer.bytes(encoding));
}

/** Beside what CORS has said there. */
function addVary(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding');
}
