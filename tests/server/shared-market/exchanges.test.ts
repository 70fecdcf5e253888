import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { marketListAnswer } from '#contract/market/market.ts';
import { createBudgets } from '#server/budgets.ts';
import { createExchangesMarket } from '#server/ports/market-data/exchanges/exchanges-market.ts';
import { VENUE_IDS } from '#server/ports/market-data/exchanges/venue.ts';
import { openMarketData } from '#server/ports/market-data/open-market-data.ts';
import { createSharedAnswers } from '#server/ports/market-data/shared/shared-answers.ts';
import { neverSpent } from '#tests/support/market/exchanges/counting-budgets.ts';
import { type ExchangeWorld, startExchangeWorld } from '#tests/support/market/exchanges/exchange-world.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { type Overrides, type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

let url: string;
let admin: pg.Client;
let world: ExchangeWorld;
const servers: TestServer[] = [];
let ada: SignedUp;

onPostgres(
  async (postgres) => {
    url = postgres.url;
    admin = new pg.Client({ connectionString: url });
    await admin.connect();
  },
  async () => {
    await admin?.end();
  },
);
beforeEach(async () => {
  world = await startExchangeWorld(110);
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  await world.close();
  await admin.query('delete from market_answers');
  await admin.query('delete from budgets');
});

const fromSettings: NonNullable<Overrides['marketOn']> = (db, config) =>
  openMarketData(config, { db, clock: Date.now, budgets: createBudgets({ db, clock: 'database' }), btc: undefined, wait: 20_000 });

/** Starts a process whose figures stay as they are for longer than the test. */
async function start(market: 'auto' | 'exchanges', marketOn = fromSettings): Promise<TestServer> {
  const urls = Object.entries(world.urls).map((pair) => pair.join('='));
  const server = await startServer({
    env: { ...sharedEnv(url), ROLE: 'web', MARKET: market, EXCHANGES_BASE_URLS: urls.join(','), MARKET_TICK_MS: '600000' },
    listening: { check: 50, limit: 10_000, firstRetry: 20, maxRetry: 100 },
    marketOn,
  });
  servers.push(server);
  if (servers.length === 1) ada = await server.signUp();
  return server;
}

async function answerOf(server: TestServer) {
  const response = await fetch(`${server.url}/api/coin-market/get-data?limit=100`, { headers: { authorization: ada.authorization } });
  expect(response.status).toBe(200);
  return z.parse(marketListAnswer, await response.json()).data;
}

async function listOf(server: TestServer) {
  const { data, source } = await answerOf(server);
  // Each process learns of collected lines and changes of longer periods on its own.
  const coins = data.map(({ id, rank, quote: { USD } }) => ({
    id,
    rank,
    price: USD?.price,
    cap: USD?.market_cap,
    change: USD?.percent_change_24h,
  }));
  return { source, coins };
}

const isForCandles = ({ pathname }: URL): boolean => /klines|candles|OHLC/.test(pathname);
/** Calls for figures: without those for candles, which lists ask for in the background. */
const calls = () => VENUE_IDS.map((id) => world[id].calls.filter((call) => !isForCandles(call)).length);
const candleCalls = () => VENUE_IDS.flatMap((id) => world[id].calls.filter(isForCandles).map(String));

test('processes show the same figures, which one of them has asked for', async () => {
  const [first, second, third] = [await start('exchanges'), await start('exchanges'), await start('exchanges')];
  const lists = await Promise.all([first, second, third, first, second].map(listOf));
  for (const list of lists) expect(list).toEqual(lists[0]);
  expect(lists[0]?.source.name).toBe('Binance, Coinbase, Kraken, and OKX');
  // A ping, the markets and the tickers, and no more.
  expect(calls()).toEqual([3, 3, 3, 3]);
});

test('a process that starts while the exchanges are away shows what the others do, not the demo market', async () => {
  const first = await start('auto');
  await expect.poll(async () => (await listOf(first)).source.demo).toBe(false);
  const before = await listOf(first);
  for (const id of VENUE_IDS) world[id].fault = { kind: 'reset' };
  const second = await start('auto');
  await expect.poll(async () => (await listOf(second)).source.demo).toBe(false);
  expect(await listOf(second)).toEqual(before);
  expect(calls()).toEqual([3, 3, 3, 3]);
});

test('processes collect the candles of lines once, also when the one that asks ends on the way', async () => {
  const collecting: typeof fromSettings = (db) =>
    createExchangesMarket({
      ...{ clock: Date.now, budgets: neverSpent, tickMs: 500, shortestLife: 500, urls: world.urls, pace: 20 },
      answers: createSharedAnswers(db),
    });
  const first = await start('exchanges', collecting);
  const others = [await start('exchanges', collecting), await start('exchanges', collecting)];
  const lines = async (server: TestServer) => (await answerOf(server)).data.filter(({ line_7d }) => line_7d).length;
  await expect
    .poll(async () => {
      await Promise.all(servers.map(lines));
      return candleCalls().length;
    })
    .toBeGreaterThan(40);
  const before = candleCalls().length;
  await first.close();
  servers.shift();
  for (const server of others) await expect.poll(() => lines(server), { timeout: 60_000, interval: 500 }).toBe(100);
  const asked = candleCalls();
  expect(asked.length).toBeGreaterThan(before);
  // The series that it was reading may be read again.
  expect(asked.length - new Set(asked).size).toBeLessThanOrEqual(2);
});
