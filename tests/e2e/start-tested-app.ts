import type { ClusterServices } from '../support/cluster/services.ts';
import { type RunningApp, startApp } from '../support/processes/app.ts';

const { CLUSTER_POSTGRES, CLUSTER_REDIS } = process.env;

/** Whether `npm run cluster:test` runs the tests, on several processes behind a proxy. */
export const isCluster = CLUSTER_POSTGRES !== undefined;

/** Starts what the tests use: one server, or a cluster in `npm run cluster:test`. */
export async function startTestedApp(env: Record<string, string> = {}): Promise<RunningApp> {
  if (!isCluster) return startApp(env);
  const { startCluster } = await import('../support/cluster/cluster.ts');
  return startCluster(testedServices(), env);
}

/** Returns the services of `npm run cluster:test`. */
export function testedServices(): ClusterServices {
  if (CLUSTER_POSTGRES === undefined) throw new Error('Tests of a cluster run in `npm run cluster:test`.');
  return { postgresUrl: CLUSTER_POSTGRES, redisUrl: CLUSTER_REDIS };
}
