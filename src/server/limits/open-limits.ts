import type { Config } from '../config.ts';
import { createLimits, type LimitOptions } from './create-limits.ts';
import type { Limits } from './limits.ts';
import { postgresCounts } from './postgres-counts.ts';
import { redisCounts } from './redis-counts.ts';

/** Least time between two batches of a process, ms. */
const INTERVAL = { postgres: 200, redis: 20 };

type Settings = Pick<Config, 'databaseUrl' | 'redisUrl' | 'jwtSecret'>;

/** Opens the limits of the settings: counted in Redis or PostgreSQL beside other processes, in memory with the embedded database. */
export function openLimits({ databaseUrl, redisUrl, jwtSecret }: Settings, { log }: Pick<LimitOptions, 'log'>): Limits {
  const shared = { secret: jwtSecret, log };
  if (!databaseUrl) return createLimits({ ...shared, interval: 0 });
  if (redisUrl) return createLimits({ ...shared, interval: INTERVAL.redis, store: redisCounts(redisUrl) });
  return createLimits({ ...shared, interval: INTERVAL.postgres, store: postgresCounts(databaseUrl) });
}
