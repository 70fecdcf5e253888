import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { afterEach, expect, test } from 'vitest';
import { call, signUp } from '#tests/faults/api.ts';
import { chromiumArgs, findChromium } from '#tests/support/browser/chromium.mjs';
import { workerReady } from '#tests/support/browser/worker-ready.ts';
import { type BusyCluster, startBusyCluster } from '#tests/support/cluster/busy-cluster.ts';
import type { Cluster, ClusterProcess } from '#tests/support/cluster/cluster.ts';
import { type RunningServices, startServices } from '#tests/support/cluster/services.ts';
import { watchRequests } from '#tests/support/cluster/watch-requests.ts';
import { buildRelease } from '#tests/support/processes/release.ts';
import { at } from '#tools/root.mjs';

const { commit } = JSON.parse(readFileSync(new URL('./previous-release.json', import.meta.url), 'utf8')) as { commit: string };

const CUSTOMERS = 20;
const BOTS = 20;
/** Longest pause of a customer between two questions, ms. */
const PACE = 20_000;
const SLOWEST_MODEL = 3_000;
/** New devices that visit while both versions run: the proxy sends each of their requests to either. */
const VISITORS = 6;
/** How long both versions run side by side, ms. */
const SIDE_BY_SIDE = 30_000;
/** What a signed-in page asks for, beside the chat. */
const READS = ['/coin-market/get-data', '/config', '/user/USER/archives/', '/notification/USER', '/v1/users/USER/trading-bots'];

let services: RunningServices | undefined;
let busy: BusyCluster | undefined;

afterEach(async () => {
  await busy?.remove();
  await services?.stop();
  busy = services = undefined;
});

test('a rolling update from the previous release loses nothing, doubles nothing and answers no request with an error', async () => {
  const previous = await buildRelease(commit);
  services = await startServices({ redis: false });
  const updated = new Set<string>();
  busy = await startBusyCluster(services, {
    bots: BOTS,
    slowestModel: SLOWEST_MODEL,
    settings: { DRAIN_SECONDS: '3' },
    programOf: (name) => (updated.has(name) ? at('dist/server/main.js') : previous.program),
  });
  await busy.addCustomers(CUSTOMERS, { pace: PACE });
  const { cluster: running, tally } = busy;
  const over = new AbortController();
  const asking = busy.ask(over.signal);
  const faults = readAlways(running, over.signal);
  const update = async (process: ClusterProcess) => {
    updated.add(process.name);
    expect(await process.stop(), process.name).toBe(0);
    await process.start();
  };

  const [first, second, third, trader, lastTrader] = running.processes as [
    ClusterProcess,
    ClusterProcess,
    ClusterProcess,
    ClusterProcess,
    ClusterProcess,
  ];
  await Promise.race([tally.reached(10), asking]);
  await update(first);
  await update(trader);
  const written = tally.count;
  await pause(SIDE_BY_SIDE);
  expect(tally.count).toBeGreaterThan(written);
  if (previous.has('src/server/client-files/shared-files.ts')) {
    await expectSharedFiles({ old: third, new: first });
    await expectWholePages(running);
  }
  for (const process of [second, third, lastTrader]) await update(process);
  over.abort();
  await asking;

  expect(await faults).toEqual([]);
  await busy.expectNothingLost();
  console.log(`${tally.count} acknowledged writes during the update from ${commit.slice(0, 8)}`);
}, 900_000);

/** Reads all the time as a signed-in user. Returns every answer that is an error, and every request without an answer. */
async function readAlways(app: Cluster, signal: AbortSignal): Promise<unknown[]> {
  const { userId, token } = await signUp(app, CUSTOMERS, 'reader@example.com');
  const read = (turn: number) => {
    const path = (READS[turn % READS.length] ?? '').replace('USER', userId);
    return call(app, CUSTOMERS, path, path === READS[0] ? { token, body: { userId } } : { token });
  };
  const watched = await watchRequests('read', read, { every: 50, signal });
  return watched.map(({ outcome }) => outcome).filter((outcome) => outcome instanceof Error || outcome.status !== 200);
}

/** Demands that each version's server has the scripts of the other version's page. */
async function expectSharedFiles(servers: Record<'old' | 'new', ClusterProcess>): Promise<void> {
  const ask = (version: 'old' | 'new', path: string) => fetch(`http://127.0.0.1:${servers[version].port}${path}`);
  for (const [of, from] of [
    ['old', 'new'],
    ['new', 'old'],
  ] as const) {
    const worker = await (await ask(of, '/sw.js')).text();
    const files = [...worker.matchAll(/"url":"(assets\/[^"]+)"/g)].map(([, file]) => file);
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) expect((await ask(from, `/${file}`)).status, `${file} of the ${of} version`).toBe(200);
  }
}

/** Demands that devices get a whole page and a worker that starts the app offline, although their requests go to both versions. */
async function expectWholePages({ url }: Cluster): Promise<void> {
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: chromiumArgs });
  try {
    for (let visitor = 0; visitor < VISITORS; visitor++) {
      const context = await browser.newContext();
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      context.on('response', (response) => {
        if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
      });
      const getStarted = page.getByRole('button', { name: 'Get Started' });
      await page.goto(`${url}/onboarding/three`);
      await getStarted.waitFor();
      await workerReady(page);
      await context.setOffline(true);
      await page.goto(`${url}/onboarding/three`);
      await getStarted.waitFor();
      expect(faults).toEqual([]);
      await context.close();
    }
  } finally {
    await browser.close();
  }
}
