import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type FakeCoinMarketCap, startCoinMarketCap } from '#tests/support/market/coinmarketcap.ts';
import { CMC_KEY } from '#tests/support/market/coinmarketcap-answers.ts';
import { madeUpWorld } from '#tests/support/market/coinmarketcap-world.ts';
import { isNightly } from '#tests/support/nightly.ts';
import { freePort } from '#tests/support/processes/free-port.ts';
import { type Launched, launch } from '#tests/support/processes/launch.ts';
import { buildServer } from '#tests/support/processes/operator.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { at } from '#tools/root.mjs';

/** How long the end of a leader may go unnoticed, ms. */
const TAKEOVER = 20_000;
const LIST = '/listings/latest';

let url: string;
let admin: pg.Client;
let provider: FakeCoinMarketCap;
const launched: Launched[] = [];
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-leader-'));

beforeAll(buildServer, 120_000);
onPostgres(
  async (postgres) => {
    url = postgres.url;
    admin = new pg.Client({ connectionString: url });
    await admin.connect();
  },
  async () => {
    await admin?.end();
    fs.rmSync(folder, { recursive: true, force: true });
  },
);
beforeEach(async () => {
  provider = await startCoinMarketCap(madeUpWorld(), Date.now());
});
afterEach(async () => {
  for (const { child } of launched) child.kill('SIGKILL');
  await Promise.all(launched.splice(0).map(({ ended }) => ended));
  await provider.close();
  await admin.query('delete from market_answers');
});

/** Starts a process of its own and waits until it is ready. */
async function start(): Promise<Launched> {
  const env = { ...sharedEnv(url), ROLE: 'web', DATA_DIR: path.join(folder, String(launched.length)), PORT: String(await freePort()) };
  const server = launch(at('dist/server/main.js'), { ...env, MARKET: 'coinmarketcap', CMC_API_KEY: CMC_KEY, CMC_BASE_URL: provider.url });
  launched.push(server);
  expect(await server.ready).toBeDefined();
  return server;
}

async function fenceOf(): Promise<number> {
  const { rows } = await admin.query("select fence from leases where name = 'market' and until > clock_timestamp()");
  return rows[0]?.fence ?? 0;
}

async function answerOf(key: string) {
  const { rows } = await admin.query('select value, failure, fence, version, wanted_at from market_answers where key = $1', [key]);
  return rows[0];
}

/** Asks the leader for an answer, as a process that needs it does. `due`: even if it is fresh. */
async function want(key: string, due = false): Promise<void> {
  await admin.query(
    `insert into market_answers (key, wanted_at) values ($1, clock_timestamp())
     on conflict (key) do update set wanted_at = clock_timestamp() ${due ? ', good_until = clock_timestamp()' : ''}`,
    [key],
  );
}

/** Resolves when a process logs a line with this text. */
const lineOf = ({ child }: Launched, text: string): Promise<void> =>
  new Promise((resolve) => child.stderr?.on('data', (chunk) => String(chunk).includes(text) && resolve()));

const stored = (key: string) =>
  vi.waitFor(async () => expect(await answerOf(key)).toMatchObject({ failure: null, wanted_at: null }), TAKEOVER);

test('after the leader is killed, another process takes over within 20 seconds and asks for nothing that is fresh', async () => {
  const leader = await start();
  // The first process records the market's prices, and so asks for the list.
  await stored('market');
  const fence = await fenceOf();
  await start();
  // However long the rest takes.
  await admin.query("update market_answers set good_until = clock_timestamp() + interval '1 hour' where key = 'market'");
  const calls = provider.calls.length;
  leader.child.kill('SIGKILL');
  await vi.waitFor(async () => expect(await fenceOf()).toBe(fence + 1), TAKEOVER);
  await want('market');
  await want('upcoming');
  await stored('upcoming');
  expect(provider.count(LIST)).toBe(2);
  expect(provider.calls.length).toBeGreaterThan(calls);
});

// `npm test` has the fence alone, in answer-rows.test.ts.
test.runIf(isNightly)('a leader that was frozen overwrites nothing of its successor, and stops leading', async () => {
  const leader = await start();
  await stored('market');
  const fence = await fenceOf();
  await start();
  provider.trouble = (call) => (call.endsWith('/map') ? 'silence' : undefined);
  await want('upcoming');
  await vi.waitFor(() => expect(provider.count('/map')).toBe(1), TAKEOVER);
  leader.child.kill('SIGSTOP');
  provider.trouble = undefined;
  await vi.waitFor(async () => expect(await fenceOf()).toBe(fence + 1), TAKEOVER);
  await want('upcoming');
  await stored('upcoming');
  const answer = await answerOf('upcoming');
  expect(answer.fence).toBe(fence + 1);
  const stepsDown = lineOf(leader, 'another process asks the market provider');
  leader.child.kill('SIGCONT');
  await stepsDown;
  // It closes only after its own request has failed.
  leader.child.kill('SIGTERM');
  expect((await leader.ended).code).toBe(0);
  expect(await answerOf('upcoming')).toEqual(answer);
  expect(await fenceOf()).toBe(fence + 1);
});
