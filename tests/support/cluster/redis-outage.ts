import { expect, vi } from 'vitest';
import type { Redis } from '../processes/redis.ts';
import type { Cluster, ClusterProcess } from './cluster.ts';

/** METRICS_TOKEN of the cluster. */
export const METRICS_TOKEN = 'm'.repeat(32);
/** How long web processes may take to find that Redis is gone or back, ms: a pause before a retry, and a limit on a busy machine. */
const NOTICED_WITHIN = 15_000;

/**
 * Kills Redis, lets `meanwhile` pass, and starts it again. Demands that the processes stay ready, and that the web processes say that changes of
 * others do not arrive and that limits count in each alone, until Redis is back.
 * @returns how long the web processes took to use Redis again, ms
 */
export async function endureRedisOutage(cluster: Cluster, redis: Redis, meanwhile: () => Promise<unknown>): Promise<number> {
  const web = cluster.processes.filter(({ name }) => name.startsWith('web'));
  await redis.crash();
  await Promise.all([untilRedisIs(false, web), meanwhile()]);
  for (const { name, port } of cluster.processes) expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status, name).toBe(200);
  await redis.start();
  const began = performance.now();
  await untilRedisIs(true, web);
  return performance.now() - began;
}

/** Waits until the metrics of all web processes say whether Redis is there. */
async function untilRedisIs(there: boolean, web: readonly ClusterProcess[]): Promise<void> {
  const lines = ['tidemark_listener_up', 'tidemark_limits_shared'].map((name) => `${name} ${Number(there)}`);
  const missing = async ({ name, port }: ClusterProcess) => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const metrics = (await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text()).split('\n');
    return lines.filter((line) => !metrics.includes(line)).map((line) => `${name}: ${line}`);
  };
  await vi.waitFor(async () => expect((await Promise.all(web.map(missing))).flat()).toEqual([]), {
    timeout: NOTICED_WITHIN,
    interval: 100,
  });
}
