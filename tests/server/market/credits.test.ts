import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { apiError } from '#contract/errors.ts';
import { cryptoDetailsAnswer } from '#contract/market/coin-details.ts';
import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import { createBudgets } from '#server/budgets.ts';
import { budgets } from '#server/db/schema/requests.ts';
import { createCoinMarketCap } from '#server/ports/market-data/coinmarketcap/coinmarketcap.ts';
import type { MarketData } from '#server/ports/market-data/market-data.ts';
import { type FakeCoinMarketCap, startCoinMarketCap } from '#tests/support/market/coinmarketcap.ts';
import { CMC_KEY } from '#tests/support/market/coinmarketcap-answers.ts';
import { madeUpWorld } from '#tests/support/market/coinmarketcap-world.ts';
import { changingMarket } from '#tests/support/market/market.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const START = Date.UTC(2026, 4, 13, 9, 30);
const DAILY = 100;
/** Single coins may use a fifth of the day's credits. */
const COINS_PART = 20;

let server: TestServer;
let ada: SignedUp;
let provider: FakeCoinMarketCap;
let market: MarketData;
let now: number;
let log: string[];

beforeAll(async () => {
  server = await startServer({ market: changingMarket(() => market) });
  ada = await server.signUp();
});
afterAll(() => server.close());
beforeEach(async () => {
  now = START;
  log = [];
  await server.db.delete(budgets);
  provider = await startCoinMarketCap(madeUpWorld(), START);
  market = openMarket();
});
afterEach(() => provider.close());

/** Opens an adapter, as another process on the same database would. */
function openMarket(): MarketData {
  const clock = () => now;
  const counted = createBudgets({ db: server.db, clock });
  const opened = createCoinMarketCap({ key: CMC_KEY, baseUrl: provider.url, budgets: counted, dailyCredits: DAILY, clock, tickMs: 5000 });
  const write = (facts: object, message: string) => void log.push(JSON.stringify({ ...facts, message }));
  opened.logTo?.({ info: write, warn: write });
  return opened;
}

const details = (id: number, who = ada) =>
  fetch(`${server.url}/api/coin-market/get-single-data/${id}/${who.user.id}`, { headers: { authorization: who.authorization } });
const read = async (response: Response) => z.parse(cryptoDetailsAnswer, await response.json()).data;
const forCoins = () => provider.count('/quotes/latest') + provider.count('/info');

test('coins that are asked for at the same moment share one call', async () => {
  await market.searchMap();
  const found = await Promise.all(Array.from({ length: 90 }, (_, index) => market.details(index + 1)));
  expect(found.map((each) => each?.coin.id)).toEqual(Array.from({ length: 90 }, (_, index) => index + 1));
  expect([provider.count('/quotes/latest', 'USD'), provider.count('/quotes/latest', 'BTC'), provider.count('/info')]).toEqual([1, 1, 1]);
  expect((await market.details(1))?.links.website).toBe('https://bitcoin.org/');
  expect(forCoins()).toBe(3);
});

test('an id that the provider refuses takes no other coin along', async () => {
  await market.searchMap();
  provider.trouble = (path) => {
    const asked = provider.calls.at(-1)?.searchParams.get('id')?.split(',');
    return /quotes|info/.test(path) && asked?.includes('3') ? { status: 400, body: {} } : undefined;
  };
  const found = await Promise.all([1, 2, 3, 4].map((id) => market.details(id)));
  expect(found.map((each) => each?.coin.id)).toEqual([1, 2, undefined, 4]);
});

describe('when the day has no credits left for single coins', () => {
  beforeEach(async () => {
    await market.searchMap();
    expect((await details(1)).status).toBe(200);
    // One coin at a time, alternating between two processes, so that no call can be batched.
    const other = openMarket();
    for (let id = 2; id <= 60; id++) await (id % 2 ? market : other).details(id).catch(() => undefined);
  });

  test('no more than a fifth of the day went to them, however many processes and coins', () => {
    expect(forCoins()).toBe(COINS_PART);
    expect(log.filter((line) => line.includes('until midnight UTC'))).toHaveLength(2);
    expect(log.filter((line) => line.includes('CoinMarketCap failed') && line.includes('credits'))).toEqual([]);
  });

  test('a coin that was seen before shows its last figures, marked as stale', async () => {
    const before = await read(await details(1));
    now += 5 * MINUTE;
    const after = await read(await details(1));
    expect(after.source).toEqual({ ...before.source, stale: true });
    expect([after.quote, after.githubUrl]).toEqual([before.quote, 'https://github.com/bitcoin/bitcoin']);
  });

  test('one that was never seen has a clear 503', async () => {
    const response = await details(130);
    expect(response.status).toBe(503);
    expect(z.parse(apiError, await response.json())).toMatchObject({ status: 503, code: 'market_unavailable' });
  });

  test('lists still come, and coins in them show their figures', async () => {
    const list = await server.post('/coin-market/get-data', {}, { authorization: ada.authorization });
    expect((await list.json()).data.source.stale).toBeUndefined();
    expect((await read(await details(130))).source.stale).toBeUndefined();
    expect(forCoins()).toBe(COINS_PART);
  });

  test('the next UTC day brings new ones', async () => {
    now = Math.ceil(now / DAY) * DAY;
    expect((await details(130)).status).toBe(200);
  });
});

test('lists stop at the credits of the day, too, and the last one stays', async () => {
  const list = () => server.post('/coin-market/get-data', {}, { authorization: ada.authorization });
  let last = await (await list()).json();
  while (!last.data.source.stale && now < START + 8 * HOUR) {
    now += MINUTE;
    provider.time = now;
    last = await (await list()).json();
  }
  // A list of 600 coins costs 3 credits in each of two currencies.
  expect(provider.count('/listings/latest')).toBe(Math.floor(DAILY / 3));
  expect(last.data.source.stale).toBe(true);
  expect(last.data.data.length).toBeGreaterThan(0);
});

test('an id that the provider does not know is asked for once an hour, also while its names cannot be had', async () => {
  provider.trouble = (path) => (path.endsWith('/map') ? { status: 500, body: {} } : undefined);
  expect((await details(424_242)).status).toBe(404);
  const asked = forCoins();
  for (let minute = 0; minute < 59; minute += 10) {
    now += 10 * MINUTE - 1;
    expect((await details(424_242)).status).toBe(404);
  }
  expect(forCoins()).toBe(asked);
  now += 10 * MINUTE;
  expect((await details(424_242)).status).toBe(404);
  expect(forCoins()).toBeGreaterThan(asked);
});

test('one user opens 120 coins a minute, and another is not touched', async () => {
  const [greedy, other] = [await server.signUp(), await server.signUp()];
  await server.post('/coin-market/get-data', {}, { authorization: ada.authorization });
  const statuses = await Promise.all(
    Array.from({ length: 130 }, (_, index) => details((index % 100) + 1, greedy).then(({ status }) => status)),
  );
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  expect((await details(1, other)).status).toBe(200);
});
