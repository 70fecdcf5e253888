import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { apiError } from '#contract/errors.ts';
import { type ChartCandles, chartCandlesAnswer } from '#contract/market/chart-candles.ts';
import { cryptoDetailsAnswer } from '#contract/market/coin-details.ts';
import { marketListAnswer } from '#contract/market/market.ts';
import { currencyRatesAnswer } from '#contract/market/rates.ts';
import { marketTotalsAnswer } from '#contract/market/totals.ts';
import { watchlistAnswer } from '#contract/market/watchlist.ts';
import { DAY, HOUR } from '#domain/clock.ts';
import { stillMarket, WEDNESDAY } from '#tests/support/market/market.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const ETHER = 1027;

let server: TestServer;
let ada: SignedUp;

beforeAll(async () => {
  server = await startServer({ market: stillMarket() });
  ada = await server.signUp();
});
afterAll(() => server.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/api/coin-market/${path}`, { headers: { authorization: ada.authorization, ...headers } });
const candles = async (query = ''): Promise<ChartCandles> =>
  z.parse(chartCandlesAnswer, await (await get(`candles/${ETHER}${query}`)).json()).data;

const list = async () => z.parse(marketListAnswer, await (await get('get-data')).json()).data;

describe('the candles of a period', () => {
  test.each([
    ['1D', HOUR, 25],
    ['7D', HOUR, 169],
    ['1M', DAY, 31],
    ['3M', DAY, 91],
    ['1Y', DAY, 365],
    ['ALL', DAY, 365],
  ])('%s end at the price of the list, and say their length', async (period, interval, count) => {
    const answer = await candles(`?period=${period}`);
    expect(answer).toMatchObject({ interval, demo: true, asOf: new Date(WEDNESDAY).toISOString() });
    expect(answer.candles).toHaveLength(count);
    expect(answer.candles.at(-1)?.close).toBe((await list()).data.find(({ id }) => id === ETHER)?.quote.USD?.price);
  });

  test('are all days without a period', async () => {
    expect(await candles()).toEqual(await candles('?period=ALL'));
  });

  test('are revalidated by ETag', async () => {
    const etag = (await get(`candles/${ETHER}?period=1M`)).headers.get('etag') ?? '';
    expect((await get(`candles/${ETHER}?period=1M`, { 'if-none-match': etag })).status).toBe(304);
    expect((await get(`candles/${ETHER}?period=3M`, { 'if-none-match': etag })).status).toBe(200);
  });

  test.each(['2D', '', 'all', '1D&period=7D', 'x'.repeat(8_000), '__proto__'])('%.20j is refused', async (period) => {
    const response = await get(`candles/${ETHER}?period=${period}`);
    expect(response.status).toBe(400);
    expect(z.parse(apiError, await response.json()).code).toBe('validation');
  });

  test('100 KB of a period is refused', async () => {
    expect((await get(`candles/${ETHER}?period=${'x'.repeat(100_000)}`)).status).toBe(431);
  });

  test.each(['0', '999999999', '987654'])('are not found for the coin %s', async (id) => {
    expect((await get(`candles/${id}?period=1D`)).status).toBe(404);
  });
});

describe('the 7-day lines', () => {
  test('end at the current price and begin a week ago, in lists, details and the watchlist', async () => {
    const { data } = await list();
    const ether = data.find(({ id }) => id === ETHER);
    const price = ether?.quote.USD?.price ?? 0;
    expect(ether?.line_7d?.at(-1)).toBe(Number(price.toPrecision(5)));
    const weekAgo = price / (1 + (ether?.quote.USD?.percent_change_7d ?? 0) / 100);
    expect((ether?.line_7d?.[0] ?? 0) / weekAgo).toBeCloseTo(1, 3);
    const lines = data.flatMap(({ line_7d }) => (line_7d ? [line_7d] : []));
    expect(lines.length).toBeGreaterThan(95);
    const { user, authorization } = ada;
    const details = z.parse(cryptoDetailsAnswer, await (await get(`get-single-data/${ETHER}/${user.id}`)).json());
    expect(details.data.line_7d).toEqual(ether?.line_7d);
    const heart = { userId: user.id, cryptoId: ETHER, cryptoSymbol: 'ETH', cryptoName: 'Ethereum', actionType: 1 };
    await server.post('/watchlist', heart, { authorization, 'idempotency-key': crypto.randomUUID() });
    const watched = z.parse(watchlistAnswer, await (await server.post(`/watchlist/${user.id}`, {}, { authorization })).json());
    expect(watched.data.map(({ line_7d }) => line_7d)).toEqual([ether?.line_7d]);
  });
});

test('totals sum up the listed coins', async () => {
  const { data } = z.parse(marketTotalsAnswer, await (await get('global')).json());
  const { data: coins, source } = await list();
  const caps = coins.map(({ quote }) => quote.USD?.market_cap ?? 0);
  expect(data).toMatchObject({ coins: coins.length, source });
  expect(data.market_cap).toBeCloseTo(
    caps.reduce((sum, cap) => sum + cap, 0),
    -3,
  );
  expect(data.btc_dominance).toBeCloseTo(((caps[0] ?? 0) / (data.market_cap ?? 1)) * 100, 6);
  expect(Math.abs(data.market_cap_change_24h ?? 99)).toBeLessThan(20);
  expect(Math.abs(data.btc_dominance_change_24h ?? 99)).toBeLessThan(10);
});

test('rates name their date and source', async () => {
  const { data } = z.parse(currencyRatesAnswer, await (await get('rates')).json());
  expect(data).toMatchObject({ date: '2026-02-20', source: 'European Central Bank reference rates' });
  expect(data.rates.EUR).toBeCloseTo(1 / 1.1767, 5);
  expect(data.rates.JPY).toBeCloseTo(182.63 / 1.1767, 2);
});
