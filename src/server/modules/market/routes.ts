import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { cryptoDetailsAnswer, marketListBody, searchAnswer } from '../../../contract/market';
import { identityOf } from '../../http/authenticate';
import { notFound } from '../../http/errors';
import type { MarketService } from './service';

const searchParams = z.object({ text: z.optional(z.string()) });
const detailsParams = z.object({ cryptoId: z.string().check(z.regex(/^\d{1,9}$/, 'Not a coin id')), userId: z.string() });

/** Spec §7: the market list, the search over all coins, and one coin in full. */
export function marketRoutes(scope: FastifyInstance, { market }: { market: MarketService }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.post('/coin-market/get-data', { schema: { body: marketListBody } }, async (request, reply) =>
    reply.type('application/json; charset=utf-8').send(await market.list(request.body)),
  );

  // Empty text comes as a single space (spec §7), or as nothing.
  app.get('/coin-market/global-search/:text?', { schema: { params: searchParams, response: { 200: searchAnswer } } }, async (request) => ({
    status: 200,
    data: await market.search(request.params.text ?? ''),
  }));

  app.get(
    '/coin-market/get-single-data/:cryptoId/:userId',
    { schema: { params: detailsParams, response: { 200: cryptoDetailsAnswer } } },
    async (request) => {
      if (request.params.userId !== identityOf(request).userId) throw notFound();
      const data = await market.details(Number(request.params.cryptoId));
      if (!data) throw notFound('This coin is not known here.');
      return { status: 200, data };
    },
  );
}
