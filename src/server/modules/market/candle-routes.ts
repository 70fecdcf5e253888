import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { coinIdText, dailyCandlesAnswer } from '#contract/market/market.ts';
import { notFound } from '#server/http/errors.ts';
import type { Candles } from './candles.ts';

const params = z.object({ cryptoId: coinIdText });

/** A coin's history by day, for the chart that is drawn by ourselves. */
export function candleRoutes(scope: FastifyInstance, { candles }: { candles: Candles }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get('/coin-market/candles/:cryptoId', { schema: { params, response: { 200: dailyCandlesAnswer } } }, async (request) => {
    const data = await candles.daily(Number(request.params.cryptoId));
    if (!data) throw notFound('This coin is not known here.');
    return { status: 200, data };
  });
}
