import type { FastifyInstance } from 'fastify';
import { HEALTH_PATH } from '#contract/paths.ts';
import { networksOf } from './network.ts';

/** Reads that open screens and probes send again and again. Of their lines the log has one in SAMPLE. */
export const POLLED_ROUTES: ReadonlySet<string> = new Set([
  `GET ${HEALTH_PATH}`,
  // The app sends the choices of these two lists in a body.
  'POST /api/coin-market/get-data',
  'POST /api/watchlist/:userId',
  'GET /api/coin-market/get-data',
  'GET /api/coin-market/get-single-data/:cryptoId/:userId',
  'GET /api/coin-market/candles/:cryptoId',
  'GET /api/coin-market/global',
  'GET /api/indicator/:timeframe',
  'GET /api/notification/:userId',
  'GET /api/alerts/:userId',
  'GET /api/user/:userId/archives',
  'GET /api/archive/:id/chats',
  'GET /api/backtests',
  'GET /api/backtests/:id',
  'GET /api/v1/users/:userId/trading-bots',
  'GET /api/v1/trading-bots',
  'GET /api/v1/trading-bots/:id',
  'GET /api/v1/trading-bots/:id/report',
  'GET /api/v1/trading-bots/:id/trades',
  'GET /api/v1/trading-bots/:id/profits',
  'GET /api/v1/trading-bots/:id/chart',
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
  function isSample(called: string): boolean {
    const count = counts.get(called) ?? 0;
    counts.set(called, (count + 1) % SAMPLE);
    return count === 0;
  }

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, ip, identity, routeOptions } = request;
    const { statusCode: status, elapsedTime } = reply;
    const route = routeOptions.url ?? 'none';
    const called = `${method} ${route}`;
    const isPolled = POLLED_ROUTES.has(called) && status < 400 && elapsedTime < SLOW;
    const line = {
      method,
      route,
      status,
      ms: Math.round(elapsedTime),
      network: networksOf(ip).wide,
      ...(identity && { userId: identity.userId }),
      ...(isPolled && { sample: SAMPLE }),
    };
    if (isPolled && !isSample(called)) request.log.debug(line, 'answered');
    else request.log.info(line, 'answered');
  });
}
