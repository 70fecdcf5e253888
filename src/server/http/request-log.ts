import type { FastifyInstance } from 'fastify';
import { HEALTH_PATH } from '#contract/paths.ts';
import { networksOf } from './network.ts';

/** Routes that open screens and probes call again and again. Of their lines the log has one in SAMPLE. */
export const POLLED_ROUTES: ReadonlySet<string> = new Set([
  HEALTH_PATH,
  '/api/coin-market/get-data',
  '/api/coin-market/get-single-data/:cryptoId/:userId',
  '/api/coin-market/candles/:cryptoId',
  '/api/indicator/:timeframe',
  '/api/notification/:userId',
  '/api/user/:userId/archives',
  '/api/archive/:id/chats',
  '/api/v1/users/:userId/trading-bots',
  '/api/v1/trading-bots',
  '/api/v1/trading-bots/:id',
  '/api/v1/trading-bots/:id/report',
  '/api/v1/trading-bots/:id/trades',
  '/api/v1/trading-bots/:id/profits',
  '/api/v1/trading-bots/:id/chart',
]);
const SAMPLE = 20;
/** A slower answer is always logged, ms. */
const SLOW = 1000;

/**
 * Logs a line for each response, but only some of the quick, good answers of POLLED_ROUTES; level `debug` has the others. Paths are
 * logged as patterns, because they may contain users' search texts.
 */
export function logRequests(app: FastifyInstance): void {
  const counts = new Map<string, number>();

  /** Counts an answer of a polled route. Returns whether its line is one of those that stand for all. */
  function isSample(route: string): boolean {
    const count = counts.get(route) ?? 0;
    counts.set(route, (count + 1) % SAMPLE);
    return count === 0;
  }

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, ip, identity, routeOptions } = request;
    const { statusCode: status, elapsedTime } = reply;
    const route = routeOptions.url ?? 'none';
    const isPolled = method === 'GET' && POLLED_ROUTES.has(route) && status < 400 && elapsedTime < SLOW;
    const line = {
      method,
      route,
      status,
      ms: Math.round(elapsedTime),
      network: networksOf(ip).wide,
      ...(identity && { userId: identity.userId }),
      ...(isPolled && { sample: SAMPLE }),
    };
    if (isPolled && !isSample(route)) request.log.debug(line, 'answered');
    else request.log.info(line, 'answered');
  });
}
