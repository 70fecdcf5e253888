import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { apiError } from '#contract/errors.ts';
import { cryptoDetailsAnswer } from '#contract/market/coin-details.ts';
import { type CryptoItem, type MarketListBody, marketListAnswer, type Quote } from '#contract/market/market.ts';
import { searchAnswer } from '#contract/market/search.ts';
import { MINUTE } from '#domain/clock.ts';
import { createBudgets } from '#server/budgets.ts';
import { budgets } from '#server/db/schema/requests.ts';
import { onMeasured } from '#server/metrics/measurements.ts';
import { createCoinMarketCap } from '#server/ports/market-data/coinmarketcap/coinmarketcap.ts';
import type { MarketData } from '#server/ports/market-data/market-data.ts';
import { type FakeCoinMarketCap, startCoinMarketCap, type Trouble } from '#tests/support/market/coinmarketcap.ts';
import { CMC_KEY } from '#tests/support/market/coinmarketcap-answers.ts';
import { hasRecorded, madeUpWorld, recordedWorld, type World } from '#tests/support/market/coinmarketcap-world.ts';
import { changingMarket } from '#tests/support/market/market.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const START = Date.UTC(2026, 4, 13, 9, 30);
const LISTING = '/listings/latest';
const DAILY_CREDITS = 10_000;

let server: TestServer;
let user: SignedUp;
let provider: FakeCoinMarketCap;
let market: MarketData;
let now: number;
let log: string[];

/** One server for all tests. Each test has its own provider and adapter. */
beforeAll(async () => {
  server = await startServer({ market: changingMarket(() => market) });
  user = await server.signUp();
});
afterAll(() => server.close());

/** Opens an adapter, as another process on the same database would. */
const openMarket = (dailyCredits: number, patience?: number): MarketData =>
  createCoinMarketCap({
    key: CMC_KEY,
    baseUrl: provider.url,
    budgets: createBudgets({ db: server.db, clock: () => now }),
    dailyCredits,
    clock: () => now,
    tickMs: 5000,
    ...(patience !== undefined && { patience }),
  });

/** The adapter gives up after `patience` ms. */
async function start(world: World, patience = 20_000): Promise<void> {
  now = START;
  log = [];
  provider = await startCoinMarketCap(world, START);
  await server.db.delete(budgets);
  market = openMarket(DAILY_CREDITS, patience);
  const write = (facts: object, message: string) => void log.push(JSON.stringify({ ...facts, message }));
  market.logTo?.({ info: write, warn: write });
}

async function stop(): Promise<void> {
  await provider.close();
  // No log line contains the key.
  expect(log.join('')).not.toContain(CMC_KEY);
}

const post = (body: MarketListBody) => server.post('/coin-market/get-data', body, { authorization: user.authorization });
const get = (path: string) => fetch(`${server.url}/api${path}`, { headers: { authorization: user.authorization } });
const details = (id: number) => get(`/coin-market/get-single-data/${id}/${user.user.id}`);

async function listed(body: MarketListBody = {}) {
  const response = await post(body);
  expect(response.status).toBe(200);
  return z.parse(marketListAnswer, await response.json()).data;
}
const list = async (body: MarketListBody = {}): Promise<CryptoItem[]> => (await listed(body)).data;
const ids = async (body: MarketListBody) => (await list(body)).map(({ id }) => id);
const usd = ({ quote }: CryptoItem) => quote.USD as Quote;
/** Formats a field as in a log line. */
const logged = (field: string): unknown[] =>
  log.map((line) => JSON.parse(line) as Record<string, unknown>).flatMap((line) => (field in line ? [line[field]] : []));

describe.each([
  { name: 'made-up coins', world: madeUpWorld, there: true },
  { name: 'the real listing', world: recordedWorld, there: hasRecorded },
])('$name', ({ world, there }) => {
  describe.skipIf(!there)('through the adapter', () => {
    beforeEach(() => start(world()));
    afterEach(stop);

    it('are listed largest first, in both currencies, with source and time', async () => {
      const { data, source } = await listed();
      const expected = world()
        .coins.toSorted((a, b) => b.quote.USD.market_cap - a.quote.USD.market_cap)
        .slice(0, 100);
      expect(source).toEqual({ name: 'CoinMarketCap', demo: false, asOf: new Date(START).toISOString() });
      expect(data.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      const bitcoin = expected.find(({ id }) => id === 1)?.quote.USD.price ?? 0;
      for (const [index, coin] of data.entries()) {
        expect(coin.quote.USD).toMatchObject({
          price: expected[index]?.quote.USD.price,
          market_cap: expected[index]?.quote.USD.market_cap,
        });
        expect(coin.quote.BTC?.price).toBeCloseTo((expected[index]?.quote.USD.price ?? 0) / bitcoin, 12);
      }
      // One call per currency, because cheaper plans allow only one.
      expect([provider.count(LISTING, 'USD'), provider.count(LISTING, 'BTC'), provider.calls.length]).toEqual([1, 1, 2]);
    });

    it('have the six ranking types', async () => {
      const { coins } = world();
      const byCap = coins.toSorted((a, b) => b.quote.USD.market_cap - a.quote.USD.market_cap);
      const idsOf = (some: { id: number }[]) => some.slice(0, 100).map(({ id }) => id);
      expect(await ids({ sortType: 1 })).toEqual(idsOf(byCap));
      expect(await ids({ sortType: 2 })).toEqual(idsOf(byCap.filter((_, index) => index % 3 === 2)));
      expect(await ids({ sortType: 3 })).toEqual([7003, 7002, 7001]);
      expect(await ids({ sortType: 4 })).toEqual(idsOf(byCap.toReversed()));
      const dates = new Map(coins.map(({ id, date_added }) => [id, Date.parse(date_added)]));
      const added = (await ids({ sortType: 5 })).map((id) => dates.get(id) ?? 0);
      expect(added).toEqual(added.toSorted((a, b) => b - a));
      expect(added).toHaveLength(100);
      const chains = byCap.filter(({ tags }) => ['layer-1', 'mineable'].some((tag) => (tags as string[]).includes(tag)));
      expect(await ids({ sortType: 6 })).toEqual(idsOf(chains));
    });

    it.each(['USD', 'BTC'] as const)('pass the eight filters in %s', async (convert) => {
      const all = await list();
      const sorted = (of: (coin: CryptoItem) => number | null | undefined) => all.map((coin) => of(coin) ?? 0).sort((a, b) => a - b);
      const inner = (values: number[]) => [values[10], values[89]] as [number, number];
      const [priceMin, priceMax] = inner(sorted((coin) => coin.quote[convert]?.price));
      const [marketCapMin, marketCapMax] = inner(sorted((coin) => coin.quote[convert]?.market_cap));
      const [volume24hMin, volume24hMax] = inner(sorted((coin) => usd(coin).volume_24h));
      const [percentChange24hMin, percentChange24hMax] = inner(sorted((coin) => coin.quote[convert]?.percent_change_24h));
      const filters = {
        priceMin,
        priceMax,
        marketCapMin,
        marketCapMax,
        volume24hMin,
        volume24hMax,
        percentChange24hMin,
        percentChange24hMax,
      };
      const between = (value: number | null | undefined, min: number, max: number) => value != null && value >= min && value <= max;
      const expected = all.filter(
        ({ quote }) =>
          between(quote[convert]?.price, priceMin, priceMax) &&
          between(quote[convert]?.market_cap, marketCapMin, marketCapMax) &&
          between(quote.USD?.volume_24h, volume24hMin, volume24hMax) &&
          between(quote[convert]?.percent_change_24h, percentChange24hMin, percentChange24hMax),
      );
      expect(expected.length).toBeGreaterThan(20);
      const passing = new Set((await list({ ...filters, convert })).map(({ id }) => id));
      expect(expected.filter(({ id }) => !passing.has(id))).toEqual([]);
      expect(provider.calls).toHaveLength(2);
    });

    it('are found by name and symbol in one map a day', async () => {
      const found = async (text: string) => z.parse(searchAnswer, await (await get(`/coin-market/global-search/${text}`)).json()).data;
      expect((await found('bitcoin'))[0]).toMatchObject({ id: 1, name: 'Bitcoin', symbol: 'BTC' });
      expect((await found('BTC'))[0]?.id).toBe(1);
      expect(await found('nosuchcoin')).toEqual([]);
      now += 23 * 60 * MINUTE;
      await found('%20');
      expect(provider.count('/map')).toBe(1);
      now += 2 * 60 * MINUTE;
      await found('%20');
      expect(provider.count('/map')).toBe(2);
    });

    it('have full details, with the figures of the list and their links', async () => {
      const first = (await list())[0];
      const { data } = z.parse(cryptoDetailsAnswer, await (await details(1)).json());
      expect(data).toMatchObject({ id: 1, ucid: 1, symbol: 'BTC', websiteUrl: 'https://bitcoin.org/', source: { demo: false } });
      expect(data.tags[0]).toEqual({ name: 'Mineable' });
      expect(data.quote).toEqual(first?.quote);
      const bare = world().coins.find(({ id }) => !world().info[id]);
      const { data: other } = z.parse(cryptoDetailsAnswer, await (await details(bare?.id ?? 0)).json());
      expect(other).toMatchObject({ websiteUrl: null, technicalDocUrl: null, redditUrl: null, githubUrl: null, explorerUrl: null });
      expect(other.tags.length).toBeGreaterThan(0);
      expect(provider.count('/quotes/latest')).toBe(0);
    });
  });
});

describe('with made-up coins', () => {
  beforeEach(() => start(madeUpWorld()));
  afterEach(stop);

  it('a hundred clients with a cold cache make one call a key', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => list()));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect([provider.count(LISTING, 'USD'), provider.count(LISTING, 'BTC'), provider.calls.length]).toEqual([1, 1, 2]);
  });

  it('asks again when a minute is over, and not before', async () => {
    await list();
    now += MINUTE - 1;
    await list({ convert: 'BTC', limit: 5, priceMin: 1 });
    expect(provider.calls).toHaveLength(2);
    now += 1;
    provider.time = now;
    expect((await listed()).source.asOf).toBe(new Date(now).toISOString());
    expect(provider.calls).toHaveLength(4);
  });

  it("counts the provider's credits, and their sum of the day", async () => {
    await list();
    now += MINUTE;
    await list();
    expect(logged('creditsToday')).toEqual([1, 2, 3, 4]);
    now += 24 * 60 * MINUTE;
    await list();
    expect(logged('creditsToday').slice(4)).toEqual([1, 2]);
  });

  it('shows a coin outside the list by its own figures, and makes no call for an unlisted one', async () => {
    const { data } = z.parse(cryptoDetailsAnswer, await (await details(1)).json());
    expect(data).toMatchObject({ name: 'Bitcoin', githubUrl: 'https://github.com/bitcoin/bitcoin', quote: { BTC: { price: 1 } } });
    expect([provider.count('/quotes/latest', 'USD'), provider.count('/quotes/latest', 'BTC'), provider.count('/info')]).toEqual([1, 1, 1]);
    const before = provider.calls.length;
    expect((await details(424_242)).status).toBe(404);
    expect(provider.calls).toHaveLength(before);
  });

  it('shows a coin that has no figures yet', async () => {
    expect(await ids({ sortType: 3 })).toContain(7002);
    const { data } = z.parse(cryptoDetailsAnswer, await (await details(7002)).json());
    expect(data).toMatchObject({ id: 7002, name: 'Soon', quote: { USD: { price: null } }, websiteUrl: null, tags: [] });
  });

  it('takes names for text, and links only where they lead to a page', async () => {
    const all = await list();
    expect(all.find(({ id }) => id === 2)?.name).toBe('<img src=x onerror=alert(1)>');
    expect(all.find(({ id }) => id === 3)?.name).toBe('עברית gnp.exe');
    const { data } = z.parse(cryptoDetailsAnswer, await (await details(2)).json());
    expect(data).toMatchObject({
      websiteUrl: 'https://img.example/',
      githubUrl: null,
      redditUrl: null,
      technicalDocUrl: null,
      explorerUrl: null,
    });
  });

  it('leaves out the one coin that cannot be read, and says so', async () => {
    const coin = provider.world.coins[4];
    if (coin) Object.assign(coin.quote.USD, { price: 'a lot' });
    expect((await ids({})).includes(5)).toBe(false);
    expect(await list()).toHaveLength(100);
    expect(logged('why')).toContainEqual(expect.stringContaining('price'));
  });

  it('makes a ranking from the figures where the plan does not include it', async () => {
    provider.trouble = (path) =>
      path.includes('/trending/')
        ? {
            status: 403,
            body: { status: { error_code: 1006, error_message: "Your API Key subscription plan doesn't support this endpoint." } },
          }
        : undefined;
    const volumes = (await list({ sortType: 4 })).map((coin) => usd(coin).volume_24h ?? 0);
    expect(volumes).toHaveLength(100);
    expect(volumes).toEqual(volumes.toSorted((a, b) => b - a));
    expect(logged('why')).toContainEqual(expect.stringContaining("plan doesn't support"));
    await list({ sortType: 4 });
    expect(provider.count('/trending/most-visited', 'USD')).toBe(1);
  });

  it('sends the key nowhere else', async () => {
    const elsewhere = await startCoinMarketCap(madeUpWorld(), START);
    provider.trouble = () => ({ status: 302, headers: { location: elsewhere.url }, body: '' });
    expect((await post({})).status).toBe(503);
    expect(elsewhere.calls).toEqual([]);
    await elsewhere.close();
  });
});

/** Turns a listing's prices into strings, as an unannounced change of format. */
const pricesAsText = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data), (key, value: unknown) => (key === 'price' ? String(value) : value));

const TROUBLES: [name: string, trouble: Trouble, why: string][] = [
  [
    '429',
    () => ({ status: 429, body: { status: { error_code: 1008, error_message: `Too many calls with ${CMC_KEY}` } } }),
    'Too many calls with [key]',
  ],
  [
    '500',
    () => ({ status: 500, body: { status: { error_code: 500, error_message: 'An internal server error occurred' } } }),
    'answered 500',
  ],
  ['502 with a page', () => ({ status: 502, body: '<html>Bad Gateway</html>' }), 'answered 502'],
  [
    '401',
    () => ({ status: 401, body: { status: { error_code: 1001, error_message: 'This API Key is invalid.' } } }),
    'This API Key is invalid.',
  ],
  ['JSON that is cut off', (_, healthy) => ({ body: JSON.stringify(healthy).slice(0, -500) }), 'cut off or malformed'],
  ['malformed JSON', () => ({ body: '{"status": {]' }), 'cut off or malformed'],
  ['another envelope', () => ({ body: { result: [] } }), 'another shape'],
  ['data that are no list', (_, healthy) => ({ body: { ...healthy, data: 'soon' } }), 'not a list'],
  ['an empty list', (_, healthy) => ({ body: { ...healthy, data: [] } }), 'came empty'],
  ['a field of another type', (_, healthy) => ({ body: { ...healthy, data: pricesAsText(healthy.data) } }), 'price'],
];

describe('when the provider fails with', () => {
  beforeEach(() => start(madeUpWorld()));
  afterEach(stop);

  it.each(TROUBLES)('%s, the last good figures stay with their time, and the log says why', async (_, trouble, why) => {
    const before = await listed();
    provider.trouble = trouble;
    now += 5 * MINUTE;
    provider.time = now;
    expect(await listed()).toEqual({ ...before, source: { ...before.source, stale: true } });
    expect(before.source.asOf).toBe(new Date(START).toISOString());
    expect(logged('why')).toContainEqual(expect.stringContaining(why));
    expect(z.parse(cryptoDetailsAnswer, await (await details(1)).json()).data.source).toMatchObject({ stale: true });

    provider.trouble = undefined;
    now += 20 * MINUTE;
    provider.time = now;
    expect((await listed()).source).toEqual({ ...before.source, asOf: new Date(now).toISOString() });
  });

  it.each(TROUBLES)('%s from the start, there is a clear 503', async (_, trouble) => {
    provider.trouble = trouble;
    const response = await post({});
    expect(response.status).toBe(503);
    expect(z.parse(apiError, await response.json())).toEqual({
      status: 503,
      code: 'market_unavailable',
      message: 'Market data cannot be reached right now. Please try again in a moment.',
    });
  });

  it('429, it is left alone for as long as it says', async () => {
    await list();
    provider.trouble = () => ({ status: 429, headers: { 'retry-after': '120' }, body: {} });
    now += MINUTE;
    const measured: unknown[] = [];
    const end = onMeasured('providerCall', (what) => measured.push(what));
    await Promise.all([list(), list({ sortType: 2 }), list({ sortType: 4 })]);
    end();
    expect(measured).toContainEqual({ provider: 'coinmarketcap', outcome: 'error' });
    const calls = provider.calls.length;
    now += 119_999;
    for (const sortType of [1, 2, 4, 5]) await list({ sortType });
    expect(provider.calls).toHaveLength(calls);
    provider.trouble = undefined;
    now += 1;
    expect((await listed()).source.stale).toBeUndefined();
  });

  it('one currency only, the other is shown', async () => {
    await list();
    const bitcoinOnly = provider.count(LISTING, 'BTC');
    provider.trouble = (_, { data }) => (JSON.stringify(data).includes('"BTC":{') ? { status: 500, body: {} } : undefined);
    now += MINUTE;
    provider.time = now;
    const { data, source } = await listed();
    expect(source).toMatchObject({ stale: true, asOf: new Date(START).toISOString() });
    expect(data.every(({ quote }) => quote.BTC?.price !== null && quote.USD?.price !== null)).toBe(true);
    expect(provider.count(LISTING, 'BTC')).toBe(bitcoinOnly + 1);
  });
});

describe('when the provider is silent', () => {
  afterEach(stop);

  it('the last good figures stay, and no request waits twice', async () => {
    await start(madeUpWorld(), 6000);
    const before = await listed();
    provider.trouble = () => 'silence';
    now += 2 * MINUTE;
    expect((await listed()).source).toEqual({ ...before.source, stale: true });
    expect(logged('why')).toContainEqual(expect.stringContaining('nothing came within 6000 ms'));
    const calls = provider.calls.length;
    await list();
    expect(provider.calls).toHaveLength(calls);
  });
});
