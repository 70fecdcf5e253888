import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MINUTE } from '#domain/clock.ts';
import type { Limits } from '../limits/limits.ts';
import { pluginStore } from '../limits/plugin-store.ts';
import { tooMany } from './errors.ts';
import { networkOf, networksOf } from './network.ts';

/** Requests per minute for each user, or for each network before sign-in: far above what several tabs send. */
const EVERY_ROUTE = { max: 1200, timeWindow: MINUTE };

/** `max` calls in `timeWindow` ms. Can be a route's `config.rateLimit`. */
export interface Limit {
  max: number;
  timeWindow: number;
}

/** A limit that routes count by hooks. Its name is the same in all processes, and no other limit's. */
export interface NamedLimit extends Limit {
  name: string;
}

/** Factor for a whole neighborhood (`Networks.wide`), which a campus shares, and also an attacker's IPv6 /48. */
const WIDE = 10;

/**
 * Limits every route that is added afterwards. Signed-in users count individually, because many share an address.
 * Files of the app are registered before it: a first visit loads hundreds.
 */
export async function limitRates(app: FastifyInstance, limits: Limits): Promise<void> {
  const keyGenerator = ({ identity, ip }: FastifyRequest): string => identity?.userId ?? networkOf(ip);
  const store = pluginStore(limits);
  await app.register(rateLimit, { global: true, ...EVERY_ROUTE, keyGenerator, store, errorResponseBuilder: () => tooMany() });

  const wide = (limit: NamedLimit) => {
    const refuse = limitBy(app, { ...limit, max: limit.max * WIDE }, ({ ip }) => networksOf(ip).wide);
    return async (request: FastifyRequest, reply: FastifyReply) => (request.identity ? undefined : refuse(request, reply));
  };
  const everyRoute = wide({ ...EVERY_ROUTE, name: 'every route, neighborhood' });
  app.addHook('onRoute', (route) => {
    const own = route.config?.rateLimit as Limit | false | undefined;
    if (own === false) return;
    route.onRequest = [
      route.onRequest ?? [],
      own ? wide({ ...own, name: `${route.method} ${route.url}, neighborhood` }) : everyRoute,
    ].flat();
  });
}

/** Counts calls by a key of the parsed request, such as an account, over several routes. Returns false beyond the limit. */
export function allowanceBy(app: FastifyInstance, limit: NamedLimit, key: (request: FastifyRequest) => string) {
  const count = app.createRateLimit({ ...limit, keyGenerator: key });
  return async (request: FastifyRequest): Promise<boolean> => {
    const result = await count(request);
    return result.isAllowed || !result.isExceeded;
  };
}

/** Returns a hook that refuses calls beyond a limit. Routes that use the same hook share its count. */
export function limitBy(app: FastifyInstance, limit: NamedLimit, key: (request: FastifyRequest) => string) {
  const count = app.createRateLimit({ ...limit, keyGenerator: key });
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const result = await count(request);
    if (result.isAllowed || !result.isExceeded) return;
    reply.header('retry-after', result.ttlInSeconds);
    throw tooMany();
  };
}
