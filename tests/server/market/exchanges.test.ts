import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { dailyCandlesAnswer } from '#contract/market/chart-candles.ts';
import { WATCH } from '#contract/market/choices.ts';
import { cryptoDetailsAnswer } from '#contract/market/coin-details.ts';
import { marketListAnswer } from '#contract/market/market.ts';
import { currencyRatesAnswer } from '#contract/market/rates.ts';
import { watchlistAnswer } from '#contract/market/watchlist.ts';
import { createBudgets } from '#server/budgets.ts';
import { coinDays, marketAnswers } from '#server/db/schema/market.ts';
import { REFERENCE } from '#server/modules/market/rates/reference-table.ts';
import { createDemoMarket } from '#server/ports/market-data/demo-market.ts';
import { createExchangesMarket } from '#server/ports/market-data/exchanges/exchanges-market.ts';
import { VENUE_IDS } from '#server/ports/market-data/exchanges/venue.ts';
import { openMarketData } from '#server/ports/market-data/open-market-data.ts';
import { neverSpent } from '#tests/support/market/exchanges/counting-budgets.ts';
import { type ExchangeWorld, RATES, startExchangeWorld } from '#tests/support/market/exchanges/exchange-world.ts';
import { type Overrides, type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

let world: ExchangeWorld;
let server: TestServer;
let ada: SignedUp;

/** Opens the market from the settings, as `npm start` does. */
const fromSettings: NonNullable<Overrides['marketOn']> = (db, config) =>
  openMarketData(config, { db, clock: Date.now, budgets: createBudgets({ db, clock: Date.now }), btc: undefined, wait: 20_000 });

async function start(env: Record<string, string>, marketOn = fromSettings): Promise<void> {
  const urls = Object.entries(world.urls).map(([id, url]) => `${id}=${url}`);
  server = await startServer({ env: { EXCHANGES_BASE_URLS: urls.join(','), MARKET_TICK_MS: '10000', ...env }, marketOn });
  ada = await server.signUp();
}

beforeEach(async () => {
  world = await startExchangeWorld(110);
});
afterEach(async () => {
  await server.close();
  await world.close();
});

async function get(path: string): Promise<unknown> {
  const response = await fetch(`${server.url}/api/coin-market/${path}`, { headers: { authorization: ada.authorization } });
  expect(response.status).toBe(200);
  return response.json();
}
const list = async () => z.parse(marketListAnswer, await get('get-data?limit=100')).data;
const details = async (id: number) => z.parse(cryptoDetailsAnswer, await get(`get-single-data/${id}/${ada.user.id}`)).data;

describe('MARKET=exchanges', () => {
  test('the list shows 100 coins with price, change and cap, and names the exchanges', async () => {
    await start({ MARKET: 'exchanges' });
    const { data, source } = await list();
    expect(source).toMatchObject({ name: 'Binance, Coinbase, Kraken, and OKX', demo: false });
    expect(data).toHaveLength(100);
    for (const { quote } of data) {
      expect(quote.USD).toMatchObject({
        price: expect.any(Number),
        market_cap: expect.any(Number),
        percent_change_24h: expect.any(Number),
      });
      expect(quote.BTC?.price).toBeGreaterThan(0);
    }
  });

  test('100 coins of three exchanges with their 7-day lines have less than 30 kB', async () => {
    const { binance, coinbase, kraken } = world.urls;
    const urls = { binance, coinbase, kraken };
    await start({ MARKET: 'exchanges' }, () =>
      createExchangesMarket({ clock: Date.now, budgets: neverSpent, tickMs: 10_000, urls, pace: 0, wait: 20_000 }),
    );
    const lines = async () => (await list()).data.filter(({ line_7d }) => line_7d).length;
    await expect.poll(lines, { timeout: 30_000, interval: 500 }).toBe(100);
    const headers = { authorization: ada.authorization, 'accept-encoding': 'br' };
    const sent = request(`${server.url}/api/coin-market/get-data?limit=100`, { headers }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const body = Buffer.concat(await answer.toArray());
    const { data, source } = z.parse(marketListAnswer, JSON.parse(brotliDecompressSync(body).toString())).data;
    expect(source.name).toBe('Binance, Coinbase, and Kraken');
    expect(data.filter(({ line_7d }) => line_7d)).toHaveLength(100);
    expect(body.length).toBeLessThan(30_000);
  });

  test('a coin says where its price comes from, and that its cap is estimated', async () => {
    await start({ MARKET: 'exchanges' });
    const bitcoin = await details(1);
    expect(bitcoin.sources?.map(({ name }) => name).sort()).toEqual(['Binance', 'Coinbase', 'Kraken', 'OKX']);
    const prices = (bitcoin.sources ?? []).map(({ price }) => price);
    expect(bitcoin.spread).toBeCloseTo((Math.max(...prices) / Math.min(...prices) - 1) * 100, 3);
    expect(bitcoin.spread).toBeGreaterThan(0);
    expect(bitcoin.market_cap_estimated).toBe(true);
    expect(bitcoin.tags.length).toBeGreaterThan(0);
    expect(bitcoin.websiteUrl).toBe('https://bitcoin.org/');
  });
});

test('a coin has a year of daily candles; while the exchanges are away, its recorded prices', async () => {
  await start({ MARKET: 'exchanges' });
  await list();
  const { source, candles } = z.parse(dailyCandlesAnswer, await get('candles/1')).data;
  expect(source).toBe('Coinbase BTC/USD');
  expect(candles.length).toBeGreaterThanOrEqual(366);
  expect(candles.at(-1)?.close).toBeCloseTo(89_991, 6);
  await expect.poll(() => server.db.$count(coinDays)).toBeGreaterThan(100);
  for (const id of ['binance', 'coinbase', 'kraken', 'okx'] as const) world[id].fault = { kind: 'reset' };
  const ethereum = z.parse(dailyCandlesAnswer, await get('candles/1027')).data;
  expect(ethereum.source).toBe('Binance, Coinbase, Kraken, and OKX, recorded day by day');
  expect(ethereum.candles).toHaveLength(1);
});

test('candles that were read stay over a restart, and with their age while the exchanges are away', async () => {
  await start({ MARKET: 'exchanges' });
  const asked = () => VENUE_IDS.flatMap((id) => world[id].calls).filter(({ pathname }) => /klines|candles|OHLC/.test(pathname));
  /** The candles of another process on the same database. */
  const afterRestart = () => {
    const budgets = createBudgets({ db: server.db, clock: Date.now });
    return openMarketData(server.config, { db: server.db, clock: Date.now, budgets, btc: undefined }).history?.days(1027);
  };
  await get('candles/1027?period=1Y');
  const row = eq(marketAnswers.key, 'coin days:1027');
  await expect.poll(() => server.db.$count(marketAnswers, row)).toBe(1);
  for (const id of VENUE_IDS) world[id].fault = { kind: 'reset' };
  const calls = asked().length;
  const restored = await afterRestart();
  expect(restored).toMatchObject({ source: 'Coinbase ETH/USD', stale: false });
  expect(restored?.candles).toHaveLength(366);
  expect(asked()).toHaveLength(calls);

  await server.db
    .update(marketAnswers)
    .set({ goodUntil: new Date(0) })
    .where(row);
  expect(await afterRestart()).toEqual({ ...restored, stale: true });
  for (const id of VENUE_IDS) world[id].fault = undefined;
  const renewed = await afterRestart();
  expect(renewed?.stale).toBe(false);
  expect(renewed?.asOf).toBeGreaterThan(restored?.asOf ?? 0);
});

describe('MARKET=auto', () => {
  test('the demo market shows until the exchanges answer; nothing of it stays in the recorded prices', async () => {
    for (const id of ['binance', 'coinbase', 'kraken', 'okx'] as const) world[id].fault = { kind: 'silence' };
    await start({ MARKET: 'auto' });
    expect((await list()).source.demo).toBe(true);
    expect(await details(1)).not.toHaveProperty('sources');
    expect(await server.db.$count(coinDays)).toBe(0);
    await server.close();
    for (const id of ['binance', 'coinbase', 'kraken', 'okx'] as const) world[id].fault = undefined;
    await start({ MARKET: 'auto' });
    await expect.poll(async () => (await list()).source.demo).toBe(false);
    expect((await details(1)).sources).toHaveLength(4);
  });
});

test('a coin that only the exchanges know is watched while the demo market shows, under its own name', async () => {
  const { coins } = await createDemoMarket({ clock: Date.now, seed: 1, tickMs: 5000 }).snapshot();
  const inDemo = new Set(coins.map(({ id }) => id));
  const coin = world.coins.find(({ id }) => !inDemo.has(id));
  const heart = (cryptoId: number | undefined) =>
    server.post(
      '/watchlist',
      { userId: ada.user.id, cryptoId, cryptoSymbol: 'X', cryptoName: 'X', actionType: WATCH.add },
      { authorization: ada.authorization, 'idempotency-key': randomUUID() },
    );
  const watched = async () => {
    const response = await server.post(`/watchlist/${ada.user.id}`, {}, { authorization: ada.authorization });
    return z.parse(watchlistAnswer, await response.json());
  };
  for (const id of VENUE_IDS) world[id].fault = { kind: 'silence' };
  await start({ MARKET: 'auto' });
  expect((await heart(coin?.id)).status).toBe(200);
  expect((await heart(999_999)).status).toBe(400);
  expect(await watched()).toMatchObject({ source: { demo: true }, data: [{ id: coin?.id, symbol: coin?.symbol }] });

  const opened = (id: number | undefined) =>
    fetch(`${server.url}/api/coin-market/get-single-data/${id}/${ada.user.id}`, { headers: { authorization: ada.authorization } });
  expect((await opened(coin?.id)).status).toBe(404);
  expect(await (await opened(coin?.id)).json()).toMatchObject({
    code: 'awaits_exchanges',
    message: expect.stringMatching(/^Only exchanges have figures of .+\. They have not answered yet\.$/),
  });
  expect(await (await opened(999_999)).json()).toMatchObject({ code: 'not_found' });
});

test('rates of display currencies come from the exchanges that trade money, and the table has the others', async () => {
  const money = (base: string, quote: string, price: number) => ({ base, quote, price, open: price, volume: 1e6 });
  // The table has 155 yen for a dollar, and 0.776 francs: this rate is off by more than 15 %.
  world.kraken.markets.push(money('USD', 'JPY', 150), money('GBP', 'USD', 1.3), money('USD', 'CHF', 0.65));
  world.coinbase.markets = world.coinbase.markets.filter(({ base }) => base !== 'EUR');
  await start({ MARKET: 'exchanges' });
  await list();
  const { rates, source, date, older } = z.parse(currencyRatesAnswer, await get('rates')).data;
  expect(rates).toEqual({ ...REFERENCE.rates, JPY: 150, GBP: 0.769231, EUR: 0.909091 });
  expect(date).toBe(new Date().toISOString().slice(0, 10));
  expect(source).toBe('Kraken');
  expect(older).toEqual({
    date: '2026-02-20',
    source: 'European Central Bank reference rates',
    currencies: ['CHF', 'CAD', 'AUD', 'INR', 'BRL', 'KRW', 'TRY'],
  });
});

test('rates that no exchange trades for dollars come from its stablecoins; a lira may be far from the table', async () => {
  const money = (base: string, quote: string, price: number) => ({ base, quote, price, open: price, volume: 1e6 });
  // The table has 5.21 reais and 43.8 liras for a dollar. A dollar is 1 / 0.995 Tether, and 1 / 1.0002 USD Coin.
  world.binance.markets.push(money('USDT', 'BRL', 5.5 * RATES.USDT), money('USDT', 'TRY', 60 * RATES.USDT), money('USDT', 'KRW', 2000));
  world.okx.markets.push(money('USDC', 'BRL', 5.5 * RATES.USDC));
  // Direct pairs come first.
  world.kraken.markets.push(money('USDT', 'EUR', 0.87));
  await start({ MARKET: 'exchanges' });
  await list();
  const { rates, source, older } = z.parse(currencyRatesAnswer, await get('rates')).data;
  expect(rates).toEqual({ ...REFERENCE.rates, BRL: 5.5, TRY: 60, EUR: 0.909091 });
  expect(source).toBe('Binance, Coinbase, Kraken, and OKX');
  expect(older?.currencies).toEqual(['GBP', 'JPY', 'CHF', 'CAD', 'AUD', 'INR', 'KRW']);
});

test('MARKET=demo asks no exchange', async () => {
  await start({ MARKET: 'demo' });
  expect((await list()).source.demo).toBe(true);
  expect(Object.values(world.urls).length).toBe(4);
  expect(world.binance.calls).toHaveLength(0);
});

test('MARKET=coinmarketcap needs a key', async () => {
  await start({ MARKET: 'demo' });
  const config = { ...server.config, market: 'coinmarketcap' as const };
  const budgets = createBudgets({ db: server.db, clock: Date.now });
  expect(() => openMarketData(config, { db: server.db, clock: Date.now, budgets, btc: undefined })).toThrow('CMC_API_KEY: is needed');
});
