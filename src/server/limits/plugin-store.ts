import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { Counter, Limits } from './limits.ts';

/** What @fastify/rate-limit passes about a limit: `routeInfo` for one of a route, `name` for one that is counted by a hook. */
interface Options {
  max?: unknown;
  timeWindow?: unknown;
  name?: string;
  routeInfo?: { method?: string | string[]; url?: string };
}

/** Returns the store that lets @fastify/rate-limit count with `limits`. */
export function pluginStore(limits: Limits): FastifyRateLimitStoreCtor {
  return class Store implements FastifyRateLimitStore {
    private readonly count: Counter;

    constructor({ max, timeWindow, name, routeInfo }: Options) {
      const own = name ?? (routeInfo?.url === undefined ? 'every route' : `${routeInfo.method} ${routeInfo.url}`);
      this.count = limits.counter(own, { max: Number(max), span: Number(timeWindow) });
    }

    incr(key: string, callback: Parameters<FastifyRateLimitStore['incr']>[1]): void {
      const { used, left } = this.count(key);
      callback(null, { current: used, ttl: left });
    }

    child(options: object): Store {
      return new Store(options);
    }
  };
}
