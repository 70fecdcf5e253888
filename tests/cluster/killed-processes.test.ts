import { afterEach, describe, expect, test } from 'vitest';
import { type BusyCluster, startBusyCluster } from '#tests/support/cluster/busy-cluster.ts';
import type { ClusterProcess } from '#tests/support/cluster/cluster.ts';
import { type RunningServices, startServices } from '#tests/support/cluster/services.ts';

/** Each asks all ten questions of the Free plan's month. */
const CUSTOMERS = 50;
const BOTS = 50;
/** Longest pause of a customer between two questions, ms. */
const PACE = 10_000;
const SLOWEST_MODEL = 4_000;
/** Acknowledged writes between two kills. */
const LONGEST_LIFE = 30;

let services: RunningServices | undefined;
let busy: BusyCluster | undefined;

afterEach(async () => {
  await busy?.remove();
  await services?.stop();
  busy = services = undefined;
});

describe.each([{ redis: true }, { redis: false }])('with Redis: $redis', ({ redis }) => {
  test('500 questions and 50 bots lose and double nothing while each process is killed in turn', async () => {
    services = await startServices({ redis });
    busy = await startBusyCluster(services, { bots: BOTS, slowestModel: SLOWEST_MODEL, settings: { LOG_LEVEL: 'error' } });
    await busy.addCustomers(CUSTOMERS, { pace: PACE });
    const { tally, random } = busy;
    const { processes } = busy.cluster;

    const asking = busy.ask();
    const kills = await killInTurn(processes, { asking, next: () => tally.reached(tally.count + random() * LONGEST_LIFE) });
    await asking;

    expect(kills).toBeGreaterThanOrEqual(processes.length);
    await busy.expectNothingLost();
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
