import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { BITCOIN } from '#domain/market/coin.ts';
import { createBudgets } from '#server/budgets.ts';
import { readConfig } from '#server/config.ts';
import { createIndicators } from '#server/modules/indicator/service.ts';
import { openExchange } from '#server/ports/exchange/exchanges.ts';
import type { OpenedExchange } from '#server/ports/exchange/open-context.ts';
import { openMarketData } from '#server/ports/market-data/open-market-data.ts';
import { startBybit } from '#tests/support/bots/bybit/bybit-server.ts';
import { startOkx } from '#tests/support/bots/okx/okx-server.ts';
import { openTestDb } from '#tests/support/server/test-db.ts';

const NOW = Date.UTC(2026, 10, 23, 9, 20);
const PRICE = 71_234.5;
const SETTINGS = {
  okx: { AFFILIATE_API_PASSPHRASE: 'affiliate-words' },
  bybit: {},
};
const AFFILIATE = { AFFILIATE_API_KEY: 'affiliate-key', AFFILIATE_API_SECRET: 'affiliate-secret' };

/** Hourly candles that rise by 10 USD each and end at the price. */
const candles = (): Candle[] =>
  Array.from({ length: (100 * DAY) / HOUR }, (_, back) => {
    const time = Math.floor(NOW / HOUR) * HOUR - back * HOUR;
    const close = PRICE - 10 * back;
    return { time, open: close - 10, high: close + 5, low: close - 15, close, volume: 3 };
  }).reverse();

let folder: string;
let store: Awaited<ReturnType<typeof openTestDb>>;
let opened: OpenedExchange;
let closeServer: () => Promise<void>;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-price-'));
  store = await openTestDb();
});
afterEach(async () => {
  await opened.exchange.close();
  await closeServer();
});
afterAll(async () => {
  await store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

describe.each([
  ['bybit', startBybit],
  ['okx', startOkx],
] as const)('with EXCHANGE=%s', (kind, startExchange) => {
  test('the market has the price of bots and indicator, and its changes, without a market provider', async () => {
    const { url, close } = await startExchange({ now: () => NOW, price: () => PRICE, candles });
    closeServer = close;
    const config = readConfig({
      EXCHANGE: kind,
      EXCHANGE_BASE_URL: url,
      MARKET: 'demo',
      DATA_DIR: folder,
      ...AFFILIATE,
      ...SETTINGS[kind],
    });
    const clock = () => NOW;
    const timing = { limit: 30_000 };
    opened = await openExchange(config, { db: store.db, clock, mayChangeFeed: false, followsPrice: true, timing });
    const market = openMarketData(config, { db: store.db, clock, budgets: createBudgets({ db: store.db, clock }), btc: opened.btc });
    const bitcoin = (await market.snapshot()).coins.find(({ id }) => id === BITCOIN)?.quote.USD;
    const indicator = await createIndicators({ feed: opened.exchange.feed }).of('1h');
    expect(bitcoin?.price).toBe(PRICE);
    expect(indicator.candles.at(-1)?.close).toBe(PRICE);
    // 20 minutes into the hour, a day ago.
    expect(bitcoin?.percent_change_24h).toBeCloseTo((PRICE / (PRICE - 240 - 10 + (10 * 20 * MINUTE) / HOUR) - 1) * 100, 1);
  });
});

test('a process that shows no market does not follow the price', async () => {
  const { url, calls, close } = await startBybit({ now: () => NOW, price: () => PRICE, candles });
  closeServer = close;
  const config = readConfig({ EXCHANGE: 'bybit', EXCHANGE_BASE_URL: url, DATA_DIR: folder, ...AFFILIATE });
  opened = await openExchange(config, { db: store.db, clock: () => NOW, mayChangeFeed: false });
  expect(opened.btc).toBeUndefined();
  expect(calls).toEqual([]);
});
