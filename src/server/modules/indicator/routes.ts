import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { indicatorAnswer, timeframe } from '#contract/market/indicator.ts';
import { unavailable } from '#server/http/errors.ts';
import { ExchangeError } from '#server/ports/exchange/exchange.ts';
import type { Indicators } from './service.ts';

/** Registers the indicator: BTC's support and resistance levels, and the strategy's signal. */
export function indicatorRoutes(scope: FastifyInstance, { indicators }: { indicators: Indicators }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get('/indicator/:timeframe', { schema: { params: z.object({ timeframe }), response: { 200: indicatorAnswer } } }, async (request) => {
    const data = await indicators.of(request.params.timeframe).catch((error: unknown) => {
      throw error instanceof ExchangeError
        ? unavailable('market_unavailable', 'Market data is not available right now. Try again in a moment.')
        : error;
    });
    return { status: 200, data };
  });
}
