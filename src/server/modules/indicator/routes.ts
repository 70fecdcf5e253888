import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { indicatorAnswer, timeframe } from '#contract/market/indicator.ts';
import { unavailable } from '#server/http/errors.ts';
import { ExchangeError } from '#server/ports/exchange/exchange.ts';
import type { Indicators } from './service.ts';

/** The levels that the strategy sees in BTC, and what it makes of the last candle. */
export function indicatorRoutes(scope: FastifyInstance, { indicators }: { indicators: Indicators }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get('/indicator/:timeframe', { schema: { params: z.object({ timeframe }), response: { 200: indicatorAnswer } } }, async (request) => {
    const data = await indicators.of(request.params.timeframe).catch((error: unknown) => {
      throw error instanceof ExchangeError ? unavailable('market_unavailable', 'The market can not be reached right now.') : error;
    });
    return { status: 200, data };
  });
}
