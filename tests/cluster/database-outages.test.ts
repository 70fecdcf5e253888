import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Refusal } from '#tests/faults/customer.ts';
import { type BusyCluster, startBusyCluster } from '#tests/support/cluster/busy-cluster.ts';
import { createOutageLoad, isClearRefusal, type OutageLoad, type Request } from '#tests/support/cluster/outage-load.ts';
import { type RunningServices, startServices } from '#tests/support/cluster/services.ts';
import { plantTraders, untilBotsRun } from '#tests/support/cluster/traders.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/processes/tcp-proxy.ts';

const BOTS = 20;
/** Customers of each test; each asks ten questions. */
const CUSTOMERS = 12;
const PACE = 7_000;
const SLOWEST_MODEL = 2_000;
/** Acknowledged writes before the first outage. */
const WARM_UP = 10;
/** How long the load goes on after the time to recover, ms. */
const AFTERWARDS = 3_000;
const TIMES = 5;
/** How long PostgreSQL is away, and how long the network drops packets, ms. */
const AWAY = 60_000;
const SILENCE = 35_000;

/** How long after an outage requests may be refused, and by how much a new bot may be later than without one, ms. */
const RECOVERED_WITHIN = 5_000;
/** The same after the network dropped packets. */
const RECONNECTED_WITHIN = 30_000;
const SLOWEST_REFUSAL = 30_000;
const BOT_WITHIN = 60_000;
/** How long a process may take to find that it is not ready, ms: the limit of a check, and how long an outcome counts. */
const UNREADY_WITHIN = 4_000;

/** Times of an outage, as `performance.now` tells them. */
interface Outage {
  began: number;
  /** When its end began: PostgreSQL answers from some time between this and `ended`. */
  ending: number;
  ended: number;
  /** How long a bot that was new before it, and one that was new at its end, took to run, ms. */
  botBefore: number;
  botAfter: number;
}

let services: RunningServices;
let proxy: TcpProxy;
let busy: BusyCluster;
let load: OutageLoad;
/** Reaches PostgreSQL past the proxy. */
let direct: string;

beforeAll(async () => {
  services = await startServices({ redis: false });
  proxy = await startTcpProxy(services.postgres);
  const through = new URL(services.postgresUrl);
  through.port = String(proxy.port);
  const settings = { LOG_LEVEL: 'error' };
  busy = await startBusyCluster({ ...services, postgresUrl: through.href }, { bots: BOTS, slowestModel: SLOWEST_MODEL, settings });
  load = await createOutageLoad(busy.cluster);
  const database = new URL(busy.cluster.databaseUrl);
  database.port = String(services.postgres.port);
  direct = database.href;
});

afterAll(async () => {
  await busy?.remove();
  await proxy?.close();
  await services?.stop();
});

test('PostgreSQL that restarts at once five times costs clear refusals, and nothing is lost or doubled', async () => {
  const report = await endure(async () => {
    const outages = [];
    for (let times = 0; times < TIMES; times++) {
      outages.push(await outage({ begin: services.postgres.crash, end: services.postgres.start }));
    }
    return outages;
  });
  expectRecovery(report, RECOVERED_WITHIN);
}, 300_000);

test('so do backends that are ended five times', async () => {
  const statement = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  const report = await endure(async () => {
    const outages = [];
    for (let times = 0; times < TIMES; times++)
      outages.push(await outage({ begin: () => withClient((client) => client.query(statement)) }));
    return outages;
  });
  expectRecovery(report, RECOVERED_WITHIN);
}, 300_000);

test('so does PostgreSQL that is away for a minute, while no process is ready', async () => {
  const report = await endure(async () => [await outage({ begin: services.postgres.crash, lasts: AWAY, end: services.postgres.start })]);
  expectRecovery(report, RECOVERED_WITHIN);
  expectUnready(report);
}, 300_000);

test('a network that drops packets delays no answer for more than 30 seconds, and no process is ready', async () => {
  const silence = { begin: async () => proxy.freeze(), lasts: SILENCE, end: proxy.heal, limit: RECONNECTED_WITHIN };
  // Frozen connections cannot be closed. The cut ends all connections, so it comes after the load.
  const report = await endure(async () => [await outage(silence)]).finally(proxy.cut);
  expectRecovery(report, RECONNECTED_WITHIN);
  expectUnready(report);
}, 300_000);

interface Disturbance {
  begin(): Promise<unknown>;
  lasts?: number;
  end?(): Promise<unknown>;
  limit?: number;
}

/** Runs an outage, and waits until a new bot runs and the load has met what comes after. */
async function outage({ begin, lasts = 0, end = async () => undefined, limit = RECOVERED_WITHIN }: Disturbance): Promise<Outage> {
  const botBefore = await timeOfBot();
  const began = performance.now();
  await begin();
  await pause(lasts);
  const ending = performance.now();
  await end();
  const ended = performance.now();
  const botAfter = await timeOfBot();
  await pause(Math.max(0, ended + limit + AFTERWARDS - performance.now()));
  return { began, ending, ended, botBefore, botAfter };
}

/** Adds a bot. Returns how long it takes to run, ms. */
async function timeOfBot(): Promise<number> {
  const began = performance.now();
  await plantTraders(busy.cluster, 1);
  await withClient((client) => untilBotsRun(client, BOT_WITHIN));
  return performance.now() - began;
}

async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: direct });
  await client.connect();
  return work(client).finally(() => client.end());
}

interface Report {
  outages: Outage[];
  requests: Request[];
  readiness: Request[];
}

/** Loads the cluster during outages. Demands that no process dies, that refusals are clear, and that nothing is lost or doubled. */
async function endure(disturb: () => Promise<Outage[]>): Promise<Report> {
  const { cluster, tally } = busy;
  const refusals: Refusal[] = [];
  await busy.addCustomers(CUSTOMERS, { pace: PACE, onAway: (refusal) => refusals.push(refusal) });
  const over = new AbortController();
  const [before, pids] = [tally.count, cluster.processes.map(({ pid }) => pid ?? Number.NaN)];
  const asking = busy.ask(over.signal);
  const loading = load.run(over.signal);
  await Promise.race([tally.reached(before + WARM_UP), asking]);
  const outages = await disturb().finally(() => over.abort());
  await asking;
  const { requests, readiness } = await loading;

  for (const pid of pids) expect(process.kill(pid, 0)).toBe(true);
  const refused = requests.filter(isRefused);
  expect([...refused.flatMap(unclear), ...refusals.filter((refusal) => !isClearRefusal(refusal))]).toEqual([]);
  await load.expectWritten();
  await busy.expectNothingLost();
  const figures = outages.map(
    (each) => `${seconds(refusedFor(each, outages, refused))} (a new bot ${seconds(each.botAfter)}, before ${seconds(each.botBefore)})`,
  );
  console.log(
    `${requests.length} requests, ${refused.length} refused, slowest ${seconds(slowest(requests))}; ${tally.count - before} acknowledged writes,`,
    `${refusals.length} refused ones; requests refused after the end for ${figures.join(', ')}`,
  );
  return { outages, requests, readiness };
}

const isRefused = ({ outcome }: Request): boolean => outcome instanceof Error || outcome.status !== 200;
/** Returns what a caller cannot understand. */
const unclear = ({ name, outcome }: Request): string[] => {
  if (outcome instanceof Error) return [`${name}: ${outcome.message}, ${outcome.cause}`];
  return isClearRefusal(outcome) ? [] : [`${name}: ${outcome.status} ${JSON.stringify(outcome.body)}`];
};
const slowest = (requests: readonly Request[]): number => Math.max(...requests.map(({ took }) => took));
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Returns how long after an outage requests were refused, until the next one. */
function refusedFor({ ended }: Outage, outages: readonly Outage[], refused: readonly Request[]): number {
  const until = Math.min(...outages.map(({ began }) => began).filter((began) => began > ended), Number.POSITIVE_INFINITY);
  return Math.max(0, ...refused.map(({ endedAt }) => endedAt - ended).filter((after) => after > 0 && ended + after < until));
}

function expectRecovery({ outages, requests }: Report, limit: number): void {
  const refused = requests.filter(isRefused);
  for (const each of outages) {
    expect(refusedFor(each, outages, refused)).toBeLessThan(limit);
    expect(each.botAfter).toBeLessThan(each.botBefore + limit);
  }
  expect(slowest(requests)).toBeLessThan(SLOWEST_REFUSAL);
}

/** Demands that no process said it was ready in the middle of an outage. */
function expectUnready({ outages, readiness }: Report): void {
  for (const { began, ending } of outages) {
    const during = readiness.filter(({ endedAt, took }) => endedAt - took > began + UNREADY_WITHIN && endedAt < ending);
    expect(during.length).toBeGreaterThan(0);
    expect(during.filter((each) => !isRefused(each))).toEqual([]);
  }
}
