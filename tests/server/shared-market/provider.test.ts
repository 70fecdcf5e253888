import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { cryptoDetailsAnswer } from '#contract/market/coin-details.ts';
import { coinTicks } from '#contract/market/coin-ticks.ts';
import { marketListAnswer } from '#contract/market/market.ts';
import { BITCOIN } from '#domain/market/coin.ts';
import { createBudgets } from '#server/budgets.ts';
import { createCoinMarketCap } from '#server/ports/market-data/coinmarketcap/coinmarketcap.ts';
import { createSharedAnswers } from '#server/ports/market-data/shared/shared-answers.ts';
import { type FakeCoinMarketCap, startCoinMarketCap } from '#tests/support/market/coinmarketcap.ts';
import { CMC_KEY } from '#tests/support/market/coinmarketcap-answers.ts';
import { madeUpWorld } from '#tests/support/market/coinmarketcap-world.ts';
import { isNightly } from '#tests/support/nightly.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/processes/tcp-proxy.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { connect, next } from '#tests/support/server/realtime.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const LIST = '/listings/latest';
/** Lifetime of figures, ms. */
const LIFE = 300;
/** Refreshes that both processes are compared over. */
const TICKS = isNightly ? 15 : 8;

let url: string;
let admin: pg.Client;
let proxy: TcpProxy;
let provider: FakeCoinMarketCap;
const servers: TestServer[] = [];
let ada: SignedUp;

onPostgres(
  async (postgres) => {
    url = postgres.url;
    admin = new pg.Client({ connectionString: url });
    await admin.connect();
    proxy = await startTcpProxy({ port: Number(new URL(url).port) });
  },
  async () => {
    await Promise.all([proxy?.close(), admin?.end()]);
  },
);
beforeEach(async () => {
  provider = await startCoinMarketCap(madeUpWorld(), Date.now());
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  await provider.close();
  await admin.query('delete from market_answers');
  await admin.query('delete from budgets');
});

interface Options {
  life?: number;
  dailyCredits?: number;
  env?: Record<string, string>;
}

async function start({ life = 60_000, dailyCredits = 10_000, env = {} }: Options = {}): Promise<TestServer> {
  const server = await startServer({
    env: { ...sharedEnv(url), ROLE: 'web', MARKET_TICK_MS: '200', ...env },
    listening: { check: 50, limit: 10_000, firstRetry: 20, maxRetry: 100 },
    marketOn: (db) =>
      createCoinMarketCap({
        key: CMC_KEY,
        baseUrl: provider.url,
        budgets: createBudgets({ db, clock: Date.now }),
        dailyCredits,
        clock: Date.now,
        tickMs: 100,
        shortestLife: life,
        patience: 20_000,
        answers: createSharedAnswers(db),
      }),
  });
  servers.push(server);
  return server;
}

/** Starts two processes and signs Ada up. */
async function startTwo(options?: Options): Promise<[TestServer, TestServer]> {
  const two: [TestServer, TestServer] = [await start(options), await start(options)];
  ada = await two[0].signUp();
  return two;
}

const list = (server: TestServer, sortType = 1) =>
  server.post('/coin-market/get-data', { limit: 5, sortType }, { authorization: ada.authorization });
const details = (server: TestServer, id: number) =>
  fetch(`${server.url}/api/coin-market/get-single-data/${id}/${ada.user.id}`, { headers: { authorization: ada.authorization } });

interface Seen {
  asOf: string;
  price: number | null | undefined;
}

async function readList(server: TestServer): Promise<Seen> {
  const { data } = z.parse(marketListAnswer, await (await list(server)).json());
  return { asOf: data.source.asOf, price: data.data.find(({ id }) => id === BITCOIN)?.quote.USD?.price };
}

async function readCoin(server: TestServer): Promise<Seen> {
  const { data } = z.parse(cryptoDetailsAnswer, await (await details(server, BITCOIN)).json());
  return { asOf: data.source.asOf, price: data.quote.USD?.price };
}

/** Makes each answer of the provider newer than the last one, with another price. */
function moveWorld(): void {
  provider.trouble = () => {
    provider.time = Date.now();
    for (const coin of provider.world.coins) coin.quote.USD.price *= 1.001;
    return undefined;
  };
}

test('two processes ask once for what both show: lists, rankings, a coin and the search', async () => {
  const two = await startTwo();
  const all = await Promise.all(
    two.flatMap((server) => [
      list(server),
      list(server, 2),
      list(server, 5),
      details(server, 7),
      fetch(`${server.url}/api/coin-market/global-search/coin`, { headers: { authorization: ada.authorization } }),
    ]),
  );
  expect(all.map(({ status }) => status)).toEqual(Array(10).fill(200));
  const asked = provider.calls.map(({ pathname, searchParams }) => `${pathname} ${searchParams}`);
  expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted());
  const { rows } = await admin.query("select used from budgets where key = 'coinmarketcap lists'");
  expect(rows[0].used).toBeLessThanOrEqual(provider.calls.length * 3);
  await Promise.all(two.flatMap((server) => [list(server), details(server, 7)]));
  expect(provider.calls).toHaveLength(asked.length);
});

test('two processes show the same Bitcoin for the same time, and time never goes back', async () => {
  const two = await startTwo({ life: LIFE });
  moveWorld();
  const all: Seen[][] = [];
  const record = () => {
    const shown: Seen[] = [];
    all.push(shown);
    return shown;
  };
  const sockets = await Promise.all(two.map((server) => connect(server.url, ada.tokens.accessToken)));
  for (const socket of sockets) {
    const shown = record();
    socket.on('coin_ticks', (sent) => {
      const { source, coins } = z.parse(coinTicks, sent);
      for (const { quote } of coins) shown.push({ asOf: source.asOf, price: quote.USD.price });
    });
    socket.emit('watch_coins', [BITCOIN]);
  }
  const readers = two.flatMap((server) => [readList, readCoin].map((read) => ({ shown: record(), read: () => read(server) })));
  const timesOf = (some: typeof readers) => [...new Set(some.flatMap(({ shown }) => shown.map(({ asOf }) => asOf)))];
  const isCompared = () => {
    const there = timesOf(readers.slice(2));
    const both = timesOf(readers.slice(0, 2)).filter((asOf) => there.includes(asOf));
    return timesOf(readers).length >= TICKS && both.length > TICKS / 3 && all.every(({ length }) => length > 2);
  };
  while (!isCompared()) {
    await Promise.race(sockets.map((socket) => next(socket, 'coin_ticks')));
    await Promise.all(readers.map(async ({ shown, read }) => shown.push(await read())));
  }
  for (const socket of sockets) socket.disconnect();
  const prices = new Map<string, Set<unknown>>();
  for (const { asOf, price } of all.flat()) prices.set(asOf, (prices.get(asOf) ?? new Set()).add(price));
  expect([...prices.values()].filter((different) => different.size > 1)).toEqual([]);
  for (const shown of all) expect(shown.map(({ asOf }) => asOf)).toEqual(shown.map(({ asOf }) => asOf).toSorted());
});

test('a process whose listener is lost still reads and asks', async () => {
  const direct = new URL(url);
  direct.port = String(proxy.port);
  const [leader] = [await start()];
  const deaf = await start({ env: { DATABASE_LISTEN_URL: direct.href } });
  ada = await (leader as TestServer).signUp();
  proxy.refuse();
  expect((await list(deaf)).status).toBe(200);
  expect(provider.count(LIST, 'USD')).toBe(1);
  await proxy.heal();
});

test('credits count once for all processes, and survive a restart', async () => {
  // A fifth of them pays for single coins.
  const [here, there] = await startTwo({ dailyCredits: 20 });
  const open = async (server: TestServer, from: number) => {
    for (let id = from; id < from + 4; id++) expect((await details(server, id)).status).toBe(200);
  };
  await Promise.all([list(here), list(there)]);
  await open(here, 10);
  await open(there, 60);
  expect(provider.count('/info')).toBe(4);
  for (const server of servers.splice(0)) await server.close();
  await open(await start({ dailyCredits: 20 }), 110);
  expect(provider.count('/info')).toBe(4);
});

test('while the provider is down, every process shows the last figures, marked stale', async () => {
  const two = await startTwo({ life: LIFE });
  const good = await readList(two[0]);
  provider.trouble = () => ({ status: 500, body: {} });
  await vi.waitFor(async () => {
    for (const server of two) {
      const { data } = z.parse(marketListAnswer, await (await list(server)).json());
      expect(data.source).toMatchObject({ asOf: good.asOf, stale: true });
    }
  });
  moveWorld();
  await vi.waitFor(async () => {
    for (const server of two) expect((await readList(server)).asOf > good.asOf).toBe(true);
  });
});

test('the process that leads hands over when it closes, and the next one does not repeat what is fresh', async () => {
  const first = await start();
  const lease = "from leases where name = 'market' and until > clock_timestamp()";
  const leader = (await admin.query(`select owner ${lease}`)).rows[0].owner;
  const second = await start();
  ada = await first.signUp();
  await list(first);
  const before = provider.calls.length;
  await servers.shift()?.close();
  expect((await admin.query(`select 1 ${lease} and owner = $1`, [leader])).rows).toEqual([]);
  expect((await list(second)).status).toBe(200);
  expect(provider.calls).toHaveLength(before);
  expect(provider.count(LIST, 'USD')).toBe(1);
  expect((await list(second, 5)).status).toBe(200);
  expect(provider.calls.length).toBeGreaterThan(before);
});
