import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { apiError } from '#contract/errors.ts';
import { cryptoDetailsAnswer } from '#contract/market/coin-details.ts';
import { type CryptoItem, marketListAnswer, type Quote } from '#contract/market/market.ts';
import { searchAnswer } from '#contract/market/search.ts';
import { stillMarket, WEDNESDAY } from '#tests/support/market/market.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

let server: TestServer;
let user: SignedUp;

beforeAll(async () => {
  server = await startServer({ market: stillMarket() });
  user = await server.signUp();
});
afterAll(() => server.close());

const headers = () => ({ authorization: user.authorization });
const post = (body: unknown, path = '/coin-market/get-data') => server.post(path, body, headers());
const get = (path: string, token = user.authorization) => fetch(`${server.url}/api${path}`, { headers: { authorization: token } });

async function list(body: unknown): Promise<CryptoItem[]> {
  const response = await post(body);
  expect(response.status).toBe(200);
  return z.parse(marketListAnswer, await response.json()).data.data;
}

async function expectError(response: Response, status: number, code: string): Promise<void> {
  expect(response.status).toBe(status);
  expect(z.parse(apiError, await response.json())).toMatchObject({ status, code });
}

const usd = (coin: CryptoItem): Quote => {
  if (!coin.quote.USD) throw new Error(`${coin.symbol} has no USD quote`);
  return coin.quote.USD;
};

describe('POST /coin-market/get-data', () => {
  it('answers 100 coins by default, largest first, in both currencies, with the source and its time', async () => {
    const response = await post({});
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { status, data } = z.parse(marketListAnswer, await response.json());
    expect(status).toBe(200);
    expect(data.data).toHaveLength(100);
    expect(data.data[0]).toMatchObject({ id: 1, symbol: 'BTC', rank: 1, quote: { BTC: { price: 1 } } });
    expect(data.data.every(({ quote }) => quote.USD && quote.BTC)).toBe(true);
    expect(data.source).toEqual({ name: 'Demo snapshot of 21 Feb 2025', demo: true, asOf: new Date(WEDNESDAY).toISOString() });
  });

  it.each([5, 10, 20, 50, 100, 7])('answers the first %i when asked for so many', async (limit) => {
    const all = await list({});
    expect(await list({ limit })).toEqual(all.slice(0, limit));
  });

  it('orders by each ranking type, and says the same when asked again', async () => {
    const volumes = (await list({ sortType: 4 })).map((coin) => usd(coin).volume_24h ?? 0);
    expect(volumes).toEqual(volumes.toSorted((a, b) => b - a));
    const orders = await Promise.all([1, 2, 3, 4, 5, 6].map(async (sortType) => (await list({ sortType })).map(({ id }) => id).join()));
    expect(new Set(orders).size).toBe(6);
    expect((await list({ sortType: 2 })).map(({ id }) => id).join()).toBe(orders[1]);
  });

  it('counts all coins that pass the filters, beyond the list', async () => {
    const count = async (body: object) => z.parse(marketListAnswer, await (await post(body)).json()).data.matches;
    const billions = (await list({ limit: 5000 })).filter((coin) => (usd(coin).market_cap ?? 0) >= 1e9);
    expect(await count({ marketCapMin: 1e9, limit: 1 })).toBe(billions.length);
    expect(await count({ limit: 5 })).toBe((await list({ limit: 5000 })).length);
  });

  it('applies the eight filters, as numbers or as typed', async () => {
    const all = await list({});
    const expected = all.filter((coin) => {
      const { price, market_cap, volume_24h, percent_change_24h } = usd(coin);
      return (
        price !== null &&
        price >= 0.1 &&
        price <= 100 &&
        market_cap !== null &&
        market_cap >= 1e9 &&
        market_cap <= 1e11 &&
        volume_24h !== null &&
        volume_24h >= 1e7 &&
        volume_24h <= 1e10 &&
        percent_change_24h !== null &&
        percent_change_24h >= -5 &&
        percent_change_24h <= 5
      );
    });
    const filters = {
      priceMin: 0.1,
      priceMax: 100,
      marketCapMin: 1e9,
      marketCapMax: 1e11,
      volume24hMin: 1e7,
      volume24hMax: 1e10,
      percentChange24hMin: -5,
      percentChange24hMax: 5,
    };
    expect(expected.length).toBeGreaterThan(5);
    expect(expected.length).toBeLessThan(95);
    expect(await list(filters)).toEqual(expected);
    expect(await list(Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)])))).toEqual(expected);
  });

  it('filters before it counts, and prices in the currency asked for', async () => {
    expect((await list({ limit: 3, priceMax: 1, convert: 'USD' })).every((coin) => (usd(coin).price ?? 2) <= 1)).toBe(true);
    expect((await list({ limit: 3, priceMax: 1, convert: 'USD' })).length).toBe(3);
    expect((await list({ priceMin: 1, convert: 'BTC' })).map(({ symbol }) => symbol)).toEqual(['BTC']);
  });

  it('answers an empty list when nothing passes', async () => {
    expect(await list({ priceMin: 1e12 })).toEqual([]);
  });

  it.each([
    { limit: 0 },
    { limit: 5001 },
    { limit: '10' },
    { limit: 2.5 },
    { sortType: 7 },
    { sortType: 0 },
    { convert: 'EUR' },
    { priceMin: 'abc' },
    { priceMin: { $gt: 0 } },
    { marketCapMax: [1] },
    [],
    null,
    'text',
  ])('refuses %j', async (body) => expectError(await post(body), 400, 'validation'));

  it('asks for a token', async () => expectError(await server.post('/coin-market/get-data', {}), 401, 'unauthorized'));
});

describe('GET /coin-market/global-search/{text}', () => {
  const search = async (text: string) => z.parse(searchAnswer, await (await get(`/coin-market/global-search/${text}`)).json()).data;

  it('finds coins by name or symbol', async () => {
    expect((await search('doge'))[0]).toMatchObject({ id: 74, name: 'Dogecoin', symbol: 'DOGE' });
    expect((await search('B%C3%8DTCOIN')).map(({ symbol }) => symbol)).toEqual(['BTC', 'BCH', 'BSV']);
    expect(await search('nosuchcoin')).toEqual([]);
  });

  it('forgives typos, and tells price, change and their time', async () => {
    const [hit] = await search('dogecion');
    const { source } = z.parse(marketListAnswer, await (await post({ limit: 1 })).json()).data;
    const figures = { price: expect.any(Number), percent_change_24h: expect.any(Number), asOf: source.asOf };
    expect(hit).toEqual({ id: 74, name: 'Dogecoin', symbol: 'DOGE', ...figures });
  });

  it('answers the top coins to a single space, and to nothing', async () => {
    expect((await search('%20'))[0]?.symbol).toBe('BTC');
    expect(await search('')).toEqual(await search('%20'));
  });

  it('takes broken percent-encoding for the text it is', async () => expect(await search('%E0%A4%A')).toEqual([]));

  it('asks for a token', async () => expectError(await get('/coin-market/global-search/btc', ''), 401, 'unauthorized'));
});

describe('GET /coin-market/get-single-data/{cryptoId}/{userId}', () => {
  const path = (id: string | number, owner = user.user.id) => `/coin-market/get-single-data/${id}/${owner}`;

  it('answers one coin in full, with the figures of the list', async () => {
    const { status, data } = z.parse(cryptoDetailsAnswer, await (await get(path(1))).json());
    expect(status).toBe(200);
    expect(data).toMatchObject({
      id: 1,
      ucid: 1,
      name: 'Bitcoin',
      symbol: 'BTC',
      max_supply: 21_000_000,
      websiteUrl: 'https://bitcoin.org/',
      technicalDocUrl: 'https://bitcoin.org/bitcoin.pdf',
      redditUrl: 'https://reddit.com/r/bitcoin',
      githubUrl: 'https://github.com/bitcoin/bitcoin',
      isWatchListed: false,
      source: { demo: true },
    });
    expect(data.tags[0]).toEqual({ name: 'Mineable' });
    expect(data.quote).toEqual((await list({ limit: 5 }))[0]?.quote);
  });

  it('answers 404 for a coin that is not known', async () => expectError(await get(path(999_999)), 404, 'not_found'));

  it("answers 404 under another user's id", async () => {
    const other = await server.signUp();
    await expectError(await get(path(1, other.user.id)), 404, 'not_found');
    await expectError(await get(path(1, 'unknown')), 404, 'not_found');
  });

  it.each(['abc', '-1', '1.5', '0x1', '99999999999'])('refuses the id %s', async (id) =>
    expectError(await get(path(id)), 400, 'validation'),
  );

  it('asks for a token', async () => expectError(await get(path(1), ''), 401, 'unauthorized'));
});
