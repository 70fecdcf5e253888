import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { createRandom } from '#domain/random.ts';
import { createCustomer } from '#tests/faults/customer.ts';
import { createTally } from '#tests/faults/tally.ts';
import { later, type ModelServer, say, startModelServer } from '#tests/support/chat/openai.ts';
import { type Cluster, type ClusterProcess, startCluster } from '#tests/support/cluster/cluster.ts';
import { type RunningServices, startServices } from '#tests/support/cluster/services.ts';
import { plantTraders, wrongRows } from '#tests/support/cluster/traders.ts';

/** Each asks all ten questions of the Free plan's month. */
const CUSTOMERS = 50;
const BOTS = 50;
/** Longest pause of a customer between two questions, ms. */
const PACE = 10_000;
/** Longest time of the model until it begins to answer, ms. */
const SLOWEST_MODEL = 4_000;
/** Acknowledged writes between two kills. */
const LONGEST_LIFE = 30;
const ANSWERED_WITHIN = 60_000;
const SEED = 1;

let services: RunningServices | undefined;
let cluster: Cluster | undefined;
let model: ModelServer | undefined;

afterEach(async () => {
  await cluster?.remove();
  await services?.stop();
  await model?.close();
  cluster = services = model = undefined;
});

describe.each([{ redis: true }, { redis: false }])('with Redis: $redis', ({ redis }) => {
  test('500 questions and 50 bots lose and double nothing while each process is killed in turn', async () => {
    services = await startServices({ redis });
    const random = createRandom(SEED);
    model = await startModelServer();
    model.plays = [later(() => random() * SLOWEST_MODEL, say('Bitcoin goes up and down.'))];
    const running = await startCluster(services, {
      AI_BASE_URL: model.url,
      AI_MODEL: 'slow',
      MAX_SOCKETS_PER_NETWORK: '1000',
      PAPER_SPEED: '600',
      LOG_LEVEL: 'error',
    });
    cluster = running;
    await plantTraders(running, BOTS);
    const tally = createTally();
    const customers = [];
    for (let index = 0; index < CUSTOMERS; index++) customers.push(await createCustomer(running, index, { random, tally, pace: PACE }));

    const life = new AbortController();
    const asking = Promise.all(
      customers.map(async (customer) => {
        for (; !customer.spent; await pause(100)) await customer.live(life.signal);
      }),
    );
    const kills = await killInTurn(running.processes, { asking, next: () => tally.reached(tally.count + random() * LONGEST_LIFE) });
    await asking;
    const losses = await Promise.all(customers.map((customer) => customer.losses(ANSWERED_WITHIN)));

    expect(kills).toBeGreaterThanOrEqual(running.processes.length);
    expect(losses.reduce((sum, lost) => sum + lost, 0)).toBe(0);
    expect(await wrongRows(running, ANSWERED_WITHIN)).toEqual([]);
    console.log(`${kills} × kill -9, ${tally.count} acknowledged writes`);
  }, 600_000);
});

/** Kills one process after another and starts it again, until all questions are asked and each was killed once. Returns the number of kills. */
async function killInTurn(processes: readonly ClusterProcess[], { asking, next }: { asking: Promise<unknown>; next: () => Promise<void> }) {
  let isOver = false;
  const over = asking.finally(() => {
    isOver = true;
  });
  let kills = 0;
  for (; !isOver || kills < processes.length; kills++) {
    await Promise.race([next(), over]);
    const victim = processes[kills % processes.length];
    await victim?.stop('SIGKILL');
    await victim?.start();
  }
  return kills;
}
