import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MINUTE } from '#domain/clock.ts';
import { tooMany } from './errors.ts';
import { networkOf, networksOf } from './network.ts';

/** What one user or, before one is known, one network may ask of the API in a minute: far above an app with several tabs. */
const EVERY_ROUTE = { max: 1200, timeWindow: MINUTE };

/** `max` calls in `timeWindow` ms. As a route's `config.rateLimit` it counts as `EVERY_ROUTE` does. */
export interface Limit {
  max: number;
  timeWindow: number;
}

/** How many times a limit a whole neighbourhood (`Networks.wide`) has: a campus shares one, and so does an attacker's IPv6 /48. */
const WIDE = 10;

/**
 * Limits every route that is added after it. Many people share one address (a train's, a carrier's), so who is signed
 * in is counted alone: `requireToken` has run by then. Files of the app are served before it, because a first visit asks
 * for hundreds, and an app that lacks one does not start.
 */
export async function limitRates(app: FastifyInstance): Promise<void> {
  const keyGenerator = ({ identity, ip }: FastifyRequest): string => identity?.userId ?? networkOf(ip);
  await app.register(rateLimit, { global: true, ...EVERY_ROUTE, keyGenerator, errorResponseBuilder: () => tooMany() });

  const wide = (limit: Limit) => {
    const refuse = limitBy(app, { ...limit, max: limit.max * WIDE }, ({ ip }) => networksOf(ip).wide);
    return async (request: FastifyRequest, reply: FastifyReply) => (request.identity ? undefined : refuse(request, reply));
  };
  const everyRoute = wide(EVERY_ROUTE);
  app.addHook('onRoute', (route) => {
    const own = route.config?.rateLimit as Limit | false | undefined;
    if (own === false) return;
    route.onRequest = [route.onRequest ?? [], own ? wide(own) : everyRoute].flat();
  });
}

/** Counts calls by a key of the parsed request (an account, say), whichever route they come by. Resolves to false for one too many. */
export function allowanceBy(app: FastifyInstance, limit: Limit, key: (request: FastifyRequest) => string) {
  const count = app.createRateLimit({ ...limit, keyGenerator: key });
  return async (request: FastifyRequest): Promise<boolean> => {
    const result = await count(request);
    return result.isAllowed || !result.isExceeded;
  };
}

/** A further limit of that kind, as a hook that refuses. Every route that uses the returned hook shares its count. */
export function limitBy(app: FastifyInstance, limit: Limit, key: (request: FastifyRequest) => string) {
  const count = app.createRateLimit({ ...limit, keyGenerator: key });
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const result = await count(request);
    if (result.isAllowed || !result.isExceeded) return;
    reply.header('retry-after', result.ttlInSeconds);
    throw tooMany();
  };
}
