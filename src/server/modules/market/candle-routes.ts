import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { candlesQuery } from '#contract/market/chart-candles.ts';
import { coinIdText } from '#contract/market/market.ts';
import { MINUTE } from '#domain/clock.ts';
import { identityOf } from '#server/http/authenticate.ts';
import { notFound } from '#server/http/errors.ts';
import { limitBy } from '#server/http/rate-limits.ts';
import { memo } from '#server/ports/market-data/memo.ts';
import type { Candles } from './candles.ts';
import { createCompressedAnswer } from './compressed-answer.ts';
import { sendRevalidated } from './send-answer.ts';

/** Histories that one user may open per minute: the first look at a coin can cost calls to the provider. */
const HISTORIES = { name: 'coin candles', max: 240, timeWindow: MINUTE };

const params = z.object({ cryptoId: coinIdText });

/** A coin's history, for the chart that is drawn by ourselves. */
export function candleRoutes(scope: FastifyInstance, { candles }: { candles: Candles }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const answer = memo((data: object) => createCompressedAnswer({ status: 200, data }));
  const preHandler = limitBy(app, HISTORIES, (request) => identityOf(request).userId);
  app.get('/coin-market/candles/:cryptoId', { schema: { params, querystring: candlesQuery }, preHandler }, async (request, reply) => {
    const data = await candles.of(Number(request.params.cryptoId), request.query.period ?? 'ALL');
    if (!data) throw notFound('This coin is not known here.');
    return sendRevalidated(request, reply, answer(data));
  });
}
