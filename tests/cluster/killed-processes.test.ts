import { afterEach, describe, expect, test } from 'vitest';
import { SECOND } from '#domain/clock.ts';
import { median } from '#tests/bench/median.ts';
import type { Refusal } from '#tests/faults/customer.ts';
import { type BusyCluster, startBusyCluster } from '#tests/support/cluster/busy-cluster.ts';
import { isClearRefusal } from '#tests/support/cluster/outage-load.ts';
import { endureRedisOutage, METRICS_TOKEN } from '#tests/support/cluster/redis-outage.ts';
import { type RunningServices, startServices } from '#tests/support/cluster/services.ts';

/** Each asks all ten questions of the Free plan's month. */
const CUSTOMERS = 50;
const QUESTIONS = 10;
const BOTS = 50;
/** Longest pause of a customer between two questions, ms. */
const PACE = 10_000;
const SLOWEST_MODEL = 4_000;
/** Acknowledged writes between two kills. */
const LONGEST_LIFE = 30;
/** Acknowledged writes while Redis is away. */
const WITHOUT_REDIS = 10;
/** How long a page may wait for an answer beside the model's work, ms: a claim of a killed process ends after 20 s. */
const LONGEST_WAIT = 30 * SECOND;

let services: RunningServices | undefined;
let busy: BusyCluster | undefined;

afterEach(async () => {
  await busy?.remove();
  await services?.stop();
  busy = services = undefined;
});

describe.each([{ redis: true }, { redis: false }])('with Redis: $redis', ({ redis: withRedis }) => {
  test('500 questions and 50 bots lose and double nothing while each process is killed in turn, and each page gets its answers', async () => {
    services = await startServices({ redis: withRedis });
    const settings = { LOG_LEVEL: 'error', METRICS_TOKEN };
    busy = await startBusyCluster(services, { bots: BOTS, slowestModel: SLOWEST_MODEL, settings });
    // The proxy may not know yet that the process killed before is back. The app tries again, as these customers do.
    const refusals: Refusal[] = [];
    await busy.addCustomers(CUSTOMERS, { pace: PACE, onAway: (refusal) => refusals.push(refusal) });
    const { cluster, tally, random, restart } = busy;
    const { redis } = services;

    const asking = busy.ask();
    const written = (writes: number) => Promise.race([tally.reached(tally.count + writes), asking]);
    const victims: Kill[] = cluster.processes.map((process) => () => restart(process));
    const backAfter: number[] = [];
    if (redis) victims.push(async () => void backAfter.push(await endureRedisOutage(cluster, redis, () => written(WITHOUT_REDIS))));
    const kills = await killInTurn(victims, { asking, next: () => written(random() * LONGEST_LIFE) });
    await asking;

    expect(kills).toBeGreaterThanOrEqual(victims.length);
    await busy.expectNothingLost();
    expect(refusals.filter((refusal) => !isClearRefusal(refusal))).toEqual([]);
    const ofRedis = redis ? ` (${backAfter.length} × Redis, used again after ${backAfter.map(seconds).join(', ')})` : '';
    expectShown(busy, `${kills} × kill -9${ofRedis}, ${refusals.length} refused`);
  }, 600_000);
});

/** Kills a process and starts it again. */
type Kill = () => Promise<void>;

/** Kills one process after another, until all questions are asked and each was killed once. Returns the number of kills. */
async function killInTurn(victims: readonly Kill[], { asking, next }: { asking: Promise<unknown>; next: () => Promise<void> }) {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  asking.then(end, end);
  let kills = 0;
  for (; !isOver || kills < victims.length; kills++) {
    await next();
    await victims[kills % victims.length]?.();
  }
  return kills;
}

/** Demands that pages got most answers by events and each in time, and prints how long it took. */
function expectShown({ waits, tally }: BusyCluster, kills: string): void {
  const all = waits();
  const beside = all.map(({ waited }) => waited);
  const times = all.map(({ askedAt, seenAt }) => seenAt - askedAt);
  const ways = [...new Set(all.map(({ way }) => way))].map((way) => `${all.filter((each) => each.way === way).length} by ${way}`);
  console.log(
    `${kills} and ${tally.count} acknowledged writes; ${all.length} answers on pages (${ways.join(', ')}), after a median of ${seconds(median(times))},`,
    `at most ${seconds(Math.max(...times))}; without the model's time ${seconds(median(beside))}, at most ${seconds(Math.max(...beside))}`,
  );
  expect(all.length).toBeGreaterThan(0.8 * CUSTOMERS * QUESTIONS); // an edit replaces a question that waits
  expect(all.filter(({ way }) => way === 'event').length).toBeGreaterThan(all.length / 2);
  expect(all.filter(({ waited }) => waited > LONGEST_WAIT)).toEqual([]);
}

const seconds = (ms: number): string => `${(ms / SECOND).toFixed(1)} s`;
