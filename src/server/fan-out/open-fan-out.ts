import type { Config } from '../config.ts';
import { createFanOut, type FanOutOptions } from './create-fan-out.ts';
import { type FanOut, noFanOut } from './fan-out.ts';
import { postgresChannel } from './postgres-channel.ts';
import { redisChannel } from './redis-channel.ts';

type Settings = Pick<Config, 'databaseUrl' | 'databaseListenUrl' | 'redisUrl'>;

/** Opens the fan-out of the settings: Redis or PostgreSQL between the processes on one PostgreSQL, none for the embedded database. */
export function openFanOut({ databaseUrl, databaseListenUrl, redisUrl }: Settings, options: FanOutOptions): FanOut {
  if (!databaseUrl) return noFanOut;
  const limit = options.timing?.limit;
  const channel = redisUrl ? redisChannel(redisUrl, limit) : postgresChannel(databaseListenUrl ?? databaseUrl, limit);
  return createFanOut(channel, options);
}
