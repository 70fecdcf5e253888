import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { apiError } from '#contract/errors.ts';
import { WATCH } from '#contract/market/choices.ts';
import { cryptoDetailsAnswer } from '#contract/market/coin-details.ts';
import { moveAnswer, watchAnswer, watchlistAnswer } from '#contract/market/watchlist.ts';
import { BITCOIN } from '#domain/market/coin.ts';
import { watchedCoins } from '#server/db/schema/market.ts';
import type { MarketData } from '#server/ports/market-data/market-data.ts';
import { coinWith, stillMarket } from '#tests/support/market/market.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const DOGECOIN = 74;
const ETHEREUM = 1027;
/** A low-ranked coin: not in the snapshot, but the provider has its details. */
const OUTSIDER = 40_001;
/** A coin that the provider cannot return. */
const UNREACHABLE = 40_002;

const outsider = coinWith({ id: OUTSIDER, name: 'Outsïder', symbol: 'OUT', rank: 4001, usd: { price: 0.5 } });
const links = { website: null, technicalDoc: null, reddit: null, sourceCode: null, explorer: null };

const still = stillMarket();
const market: MarketData = {
  ...still,
  async details(id) {
    if (id === OUTSIDER) return { coin: outsider, links, source: (await still.snapshot()).source };
    if (id === UNREACHABLE) throw new Error('upstream is down');
    return still.details(id);
  },
};

let server: TestServer;
let ann: SignedUp;

beforeAll(async () => {
  let later = 0;
  // Every call has its own time, so that the watchlist is ordered by time.
  server = await startServer({ market, clock: () => Date.now() + later++ });
});
afterAll(() => server.close());
beforeEach(async () => {
  ann = await server.signUp();
});

interface Heart {
  actionType?: number;
  cryptoName?: string;
  cryptoSymbol?: string;
  userId?: string;
}

const heart = (cryptoId: unknown, { actionType = WATCH.add, ...changes }: Heart = {}, key = randomUUID(), who = ann) =>
  server.post(
    '/watchlist',
    { userId: who.user.id, cryptoId, cryptoSymbol: 'SEEN', cryptoName: 'As seen', actionType, ...changes },
    { authorization: who.authorization, 'idempotency-key': key },
  );

const page = (body: unknown = {}, who = ann, owner = who.user.id) =>
  server.post(`/watchlist/${owner}`, body, { authorization: who.authorization });

async function watched(body: unknown = {}, who = ann) {
  const response = await page(body, who);
  expect(response.status).toBe(200);
  return z.parse(watchlistAnswer, await response.json());
}
const shown = async (body: unknown = {}) => (await watched(body)).data.map(({ id }) => id);

async function put(...ids: number[]) {
  for (const id of ids) {
    expect((await heart(id)).status).toBe(200);
  }
}

async function expectError(response: Response, status: number, code: string): Promise<string> {
  expect(response.status).toBe(status);
  const error = z.parse(apiError, await response.json());
  expect(error).toMatchObject({ status, code });
  return error.message;
}

describe('POST /watchlist', () => {
  test('adds and removes a coin, and says what it is now', async () => {
    const added = z.parse(watchAnswer, await (await heart(BITCOIN)).json());
    expect(added).toEqual({ status: 200, data: { cryptoId: BITCOIN, isWatchListed: true } });
    expect((await watched()).ids).toEqual([BITCOIN]);
    const removed = z.parse(watchAnswer, await (await heart(BITCOIN, { actionType: WATCH.remove })).json());
    expect(removed.data).toEqual({ cryptoId: BITCOIN, isWatchListed: false });
    expect(await watched()).toMatchObject({ data: [], ids: [] });
  });

  test('makes no difference the second time, and keeps the place of the first', async () => {
    await put(BITCOIN, DOGECOIN, BITCOIN);
    expect(await shown()).toEqual([DOGECOIN, BITCOIN]);
    for (const id of [BITCOIN, BITCOIN, ETHEREUM]) expect((await heart(id, { actionType: WATCH.remove })).status).toBe(200);
    expect(await shown()).toEqual([DOGECOIN]);
  });

  test('is carried out once for a key, however late it is sent again', async () => {
    const key = randomUUID();
    const first = await (await heart(BITCOIN, {}, key)).json();
    await heart(BITCOIN, { actionType: WATCH.remove });
    expect(await (await heart(BITCOIN, {}, key)).json()).toEqual(first);
    expect((await watched()).ids).toEqual([]);
  });

  test('shows in the details of the coin, for that user', async () => {
    const bob = await server.signUp();
    await put(BITCOIN);
    const isWatchListed = async ({ user, authorization }: SignedUp) => {
      const response = await fetch(`${server.url}/api/coin-market/get-single-data/${BITCOIN}/${user.id}`, { headers: { authorization } });
      return z.parse(cryptoDetailsAnswer, await response.json()).data.isWatchListed;
    };
    expect([await isWatchListed(ann), await isWatchListed(bob)]).toEqual([true, false]);
  });

  test('refuses a coin that the provider does not know, and takes one it cannot be asked about', async () => {
    expect(await expectError(await heart(987_654), 400, 'unknown_coin')).toBe('This coin is not available.');
    expect((await heart(UNREACHABLE)).status).toBe(200);
    expect((await watched()).data).toMatchObject([{ id: UNREACHABLE, name: 'As seen', symbol: 'SEEN', rank: null }]);
  });

  test('keeps the names of the provider rather than those of the request', async () => {
    await heart(DOGECOIN, { cryptoName: '<img src=x onerror=alert(1)>', cryptoSymbol: 'FAKE' });
    expect(await server.db.select().from(watchedCoins)).toContainEqual(
      expect.objectContaining({ userId: ann.user.id, coinId: DOGECOIN, name: 'Dogecoin', symbol: 'DOGE' }),
    );
  });

  test('holds 500 coins', async () => {
    const rows = Array.from({ length: 499 }, (_, index) => ({ userId: ann.user.id, coinId: 500_000 + index, symbol: 'X', name: 'X' }));
    await server.db.insert(watchedCoins).values(rows);
    await put(BITCOIN);
    expect(await expectError(await heart(DOGECOIN), 400, 'watchlist_full')).toContain('500');
    await put(BITCOIN);
    expect((await heart(500_000, { actionType: WATCH.remove })).status).toBe(200);
    await put(DOGECOIN);
    expect((await watched({ limit: 1 })).ids).toHaveLength(500);
  });

  test.each([
    [BITCOIN, { actionType: 3 }],
    [0, {}],
    ['1', {}],
    [1.5, {}],
    [BITCOIN, { cryptoName: 'x'.repeat(201) }],
  ])('refuses %j with %j', async (id, changes) => {
    await expectError(await heart(id, changes), 400, 'validation');
  });

  test("404 for another user's list, 401 without a token", async () => {
    const bob = await server.signUp();
    await expectError(await heart(BITCOIN, { userId: bob.user.id }), 404, 'not_found');
    await expectError(await page({}, ann, bob.user.id), 404, 'not_found');
    await expectError(await page({}, ann, 'unknown'), 404, 'not_found');
    expect((await watched({}, bob)).ids).toEqual([]);
    for (const path of ['/watchlist', `/watchlist/${ann.user.id}`]) expect((await server.post(path, {})).status).toBe(401);
  });
});

describe('POST /watchlist/{userId}/order', () => {
  const move = (body: unknown, key: string = randomUUID(), who = ann, owner = who.user.id) =>
    server.post(`/watchlist/${owner}/order`, body, { authorization: who.authorization, 'idempotency-key': key });
  const order = async (cryptoId: number, beforeId: number | null, key: string = randomUUID()) =>
    z.parse(moveAnswer, await (await move({ cryptoId, beforeId }, key)).json()).data.ids;

  test('moves a coin, keeps the order, and puts coins added later on top', async () => {
    await put(BITCOIN, ETHEREUM, DOGECOIN);
    expect(await order(BITCOIN, DOGECOIN)).toEqual([BITCOIN, DOGECOIN, ETHEREUM]);
    expect(await order(BITCOIN, null)).toEqual([DOGECOIN, ETHEREUM, BITCOIN]);
    await put(OUTSIDER);
    expect(await shown()).toEqual([OUTSIDER, DOGECOIN, ETHEREUM, BITCOIN]);
    expect(await order(ETHEREUM, OUTSIDER)).toEqual([ETHEREUM, OUTSIDER, DOGECOIN, BITCOIN]);
    expect((await watched()).ids).toEqual([ETHEREUM, OUTSIDER, DOGECOIN, BITCOIN]);
  });

  test('is carried out once for a key, and answers the order of then or now', async () => {
    await put(BITCOIN, ETHEREUM, DOGECOIN);
    const key = randomUUID();
    const first = await order(BITCOIN, DOGECOIN, key);
    await order(BITCOIN, null);
    expect(await order(BITCOIN, DOGECOIN, key)).toEqual(first);
    expect(await shown()).toEqual([DOGECOIN, ETHEREUM, BITCOIN]);

    const rows = Array.from({ length: 497 }, (_, index) => ({ userId: ann.user.id, coinId: 900_000_000 + index, symbol: 'X', name: 'X' }));
    await server.db.insert(watchedCoins).values(rows);
    const long = randomUUID();
    const answers = [await order(BITCOIN, DOGECOIN, long), await order(BITCOIN, DOGECOIN, long)];
    expect(answers[0]).toHaveLength(500);
    expect(answers[1]).toEqual(answers[0]);
  });

  test('changes nothing for a coin that another device removed', async () => {
    await put(BITCOIN, ETHEREUM);
    for (const [id, before] of [
      [DOGECOIN, BITCOIN],
      [BITCOIN, DOGECOIN],
      [BITCOIN, BITCOIN],
    ] as const) {
      expect(await order(id, before)).toEqual([ETHEREUM, BITCOIN]);
    }
  });

  test('applies every one of many moves at once', async () => {
    await put(BITCOIN, ETHEREUM, DOGECOIN, OUTSIDER);
    await Promise.all([order(BITCOIN, OUTSIDER), order(ETHEREUM, null), order(DOGECOIN, null), order(BITCOIN, OUTSIDER)]);
    const ids = await shown();
    expect(ids.slice(0, 2)).toEqual([BITCOIN, OUTSIDER]);
    expect([...ids].sort((a, b) => a - b)).toEqual([BITCOIN, DOGECOIN, ETHEREUM, OUTSIDER]);
  });

  test.each([{ cryptoId: 0, beforeId: 1 }, { cryptoId: 1 }, { cryptoId: '1', beforeId: null }, { cryptoId: 1, beforeId: 1e10 }, null, []])(
    'refuses %j',
    async (body) => void (await expectError(await move(body), 400, 'validation')),
  );

  test("404 for another user's list", async () => {
    const bob = await server.signUp();
    await put(BITCOIN, ETHEREUM);
    await expectError(await move({ cryptoId: BITCOIN, beforeId: ETHEREUM }, randomUUID(), bob, ann.user.id), 404, 'not_found');
    expect(await shown()).toEqual([ETHEREUM, BITCOIN]);
  });
});

describe('POST /watchlist/{userId}', () => {
  test('answers the coins with the figures of the market, the last added first', async () => {
    await put(ETHEREUM, BITCOIN, OUTSIDER);
    const { coins, source } = await market.snapshot();
    const { data, ids, ...rest } = await watched({ convert: 'BTC' });
    expect(ids).toEqual([OUTSIDER, BITCOIN, ETHEREUM]);
    expect(rest).toEqual({ status: 200, source });
    expect(data.map(({ quote }) => quote)).toEqual([
      outsider.quote,
      ...[BITCOIN, ETHEREUM].map((id) => coins.find((coin) => coin.id === id)?.quote),
    ]);
    expect(data[0]).toMatchObject({ name: 'Outsïder', symbol: 'OUT', rank: 4001 });
  });

  test('keeps a delisted coin, without figures', async () => {
    await server.db.insert(watchedCoins).values({ userId: ann.user.id, coinId: 777_777, symbol: 'GONE', name: 'Gone Coin' });
    const { data } = await watched();
    expect(data).toMatchObject([
      { id: 777_777, name: 'Gone Coin', symbol: 'GONE', rank: null, quote: { USD: { price: null }, BTC: { price: null } } },
    ]);
  });

  test.each([
    ['bit', [BITCOIN]],
    [' BÏTCOIN ', [BITCOIN]],
    ['eth', [ETHEREUM]],
    ['oUtsider', [OUTSIDER]],
    ['doge', []],
    ['%', []],
    ['', [OUTSIDER, ETHEREUM, BITCOIN]],
  ])('finds %j in names and symbols', async (search, found) => {
    await put(BITCOIN, ETHEREUM, OUTSIDER);
    expect(await shown({ search })).toEqual(found);
    expect((await watched({ search })).ids).toHaveLength(3);
  });

  test('comes in pages', async () => {
    await put(BITCOIN, ETHEREUM, DOGECOIN);
    expect(await shown({ limit: 2 })).toEqual([DOGECOIN, ETHEREUM]);
    expect(await shown({ limit: 2, page: 2 })).toEqual([BITCOIN]);
    expect(await shown({ limit: 2, page: 3 })).toEqual([]);
  });

  test.each([{ limit: 0 }, { limit: '5' }, { page: 0 }, { convert: 'EUR' }, { search: 'x'.repeat(201) }, null, []])(
    'refuses %j',
    async (body) => void (await expectError(await page(body), 400, 'validation')),
  );
});
