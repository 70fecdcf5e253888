import { type PostgresServer, startPostgres } from '../processes/postgres.ts';
import { type Redis, startRedis } from '../processes/redis.ts';

/** What the processes of a cluster share. */
export interface ClusterServices {
  /** Address of a PostgreSQL server; each cluster makes a database of its own there. */
  postgresUrl: string;
  /** Without it, the processes tell each other of changes by PostgreSQL. */
  redisUrl: string | undefined;
}

export interface RunningServices extends ClusterServices {
  postgres: PostgresServer;
  redis: Redis | undefined;
  stop(): Promise<void>;
}

/** Starts PostgreSQL, and Redis where it is asked for. Throws when one is not installed. */
export async function startServices({ redis: withRedis }: { redis: boolean }): Promise<RunningServices> {
  const postgres = await startPostgres();
  if (!postgres) throw new Error('PostgreSQL is not installed: a cluster needs it.');
  const redis = withRedis ? await startRedis() : undefined;
  if (withRedis && !redis) {
    await postgres.stop();
    throw new Error('Redis is not installed: start the cluster without it.');
  }
  return {
    postgres,
    redis,
    postgresUrl: postgres.url,
    redisUrl: redis && `redis://127.0.0.1:${redis.port}`,
    async stop() {
      await redis?.stop();
      await postgres.stop();
    },
  };
}
