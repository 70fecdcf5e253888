import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { answerQuestion } from '#domain/analyst/answer-question.ts';
import { HOUR, MINUTE, SECOND } from '#domain/clock.ts';
import { readConfig } from '#server/config.ts';
import { leases } from '#server/db/schema/operations.ts';
import { paperFeed } from '#server/db/schema/paper.ts';
import { budgets } from '#server/db/schema/requests.ts';
import { marketFigures } from '#server/ports/analyst/market-figures.ts';
import { openExchange } from '#server/ports/exchange/exchanges.ts';
import type { OpenedExchange } from '#server/ports/exchange/open-context.ts';
import { tickerRow } from '#tests/support/bots/bybit/answers.ts';
import { type BybitServer, startBybit } from '#tests/support/bots/bybit/bybit-server.ts';
import { ignored, instead, listChanged, neverArrives } from '#tests/support/bots/bybit/faults.ts';
import { rowsChanged } from '#tests/support/bots/okx/okx-faults.ts';
import { type OkxServer, startOkx } from '#tests/support/bots/okx/okx-server.ts';
import { stillMarket } from '#tests/support/market/market.ts';
import { openTestDb, type TestDb } from '#tests/support/server/test-db.ts';

const T0 = Date.UTC(2026, 10, 23, 9, 0);
const PRICE = 60_000;
const market = stillMarket();

let kept: TestDb;
let server: BybitServer;
let okx: OkxServer;
let folder: string;
let now: number;
let opened: OpenedExchange | undefined;

const AFFILIATE = {
  AFFILIATE_API_KEY: 'affiliate-key',
  AFFILIATE_API_SECRET: 'affiliate-secret',
  AFFILIATE_API_PASSPHRASE: 'affiliate-words',
};
const onOkx = () => ({ EXCHANGE: 'okx', EXCHANGE_BASE_URL: okx.url, REFERRAL_CODE: '77', ...AFFILIATE });

const list = (from: number, length: number) =>
  Array.from({ length: Math.floor((now - from) / length) + 1 }, (_, index) => ({
    time: from + index * length,
    ...{ open: PRICE, high: PRICE, low: PRICE, close: PRICE, volume: 0 },
  }));

beforeAll(async () => {
  kept = await openTestDb();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-perpetual-'));
  now = T0;
  const candles = () => list(T0 - 100 * HOUR, HOUR);
  okx = await startOkx({ now: () => now, price: () => PRICE });
  server = await startBybit({ now: () => now, price: () => PRICE, candles, marks: () => list(T0 - HOUR, MINUTE) });
});
beforeEach(() => {
  now = T0 + 30 * SECOND;
});
afterEach(async () => {
  await opened?.exchange.close();
  server.heal();
  okx.heal();
  for (const table of [paperFeed, leases, budgets]) await kept.db.delete(table);
});
afterAll(async () => {
  await server.close();
  await okx.close();
  await kept.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Opens an exchange as the server does, and returns a user's question to the analyst. */
async function open(settings: Record<string, string>) {
  const config = readConfig({ DATA_DIR: folder, EXCHANGE_BASE_URL: server.url, ...settings });
  const site = { db: kept.db, clock: () => now, mayChangeFeed: true, timing: { limit: 30_000 } };
  opened = await openExchange({ ...config, databaseUrl: undefined }, site);
  const figures = marketFigures(market, opened.exchange.perpetual);
  return async (question: string) => answerQuestion(question, [], figures);
}

test.each([
  ['paper money on live prices', { PAPER_FEED: 'live' }],
  ['Bybit', { EXCHANGE: 'bybit', REFERRAL_CODE: '77' }],
])('%s tells funding and open interest of BTC, with source and time', async (_, settings) => {
  const ask = await open(settings);
  const { text, figures } = await ask('what is the funding rate of btc');
  expect(text).toContain('- Funding rate: **0.0100%** of a position');
  expect(text).toContain('longs pay shorts. It is due on 23 Nov 2026 at 16:00 UTC.');
  expect(text).toContain('- Open interest: **$3.1B**, 52,310 BTC.');
  expect(figures.sources).toContainEqual({ tool: 'quotes', name: 'Bybit BTCUSDT perpetual', asOf: new Date(now).toISOString() });
  expect((await ask('open interest of eth')).text).toContain('I have no funding rate or open interest of Ethereum (ETH)');
});

test('one request serves all questions for 20 seconds', async () => {
  const ask = await open({ EXCHANGE: 'bybit', REFERRAL_CODE: '77' });
  await Promise.all([ask('btc funding'), ask('btc open interest')]);
  server.fail('market/tickers', neverArrives, neverArrives, neverArrives, neverArrives);
  now += 19 * SECOND;
  expect((await ask('btc funding')).text).toContain('**0.0100%**');
  now += 2 * SECOND;
  expect((await ask('btc funding')).text).toContain("I can't read the funding rate or open interest of Bitcoin (BTC) at the moment");
  server.heal();
  expect((await ask('btc funding')).text).toContain('**0.0100%**');
});

test.each([
  ['never answers', ignored],
  ['sends no rate', listChanged(([row]) => [{ ...row, fundingRate: '' }])],
  ['sends no time', listChanged(([row]) => [{ ...row, nextFundingTime: '' }])],
  ['sends no number', listChanged(([row]) => [{ ...row, fundingRate: 'abc' }])],
  ['sends an impossible rate', listChanged(([row]) => [{ ...row, fundingRate: '12' }])],
  [
    'has an impossible clock',
    instead(200, JSON.stringify({ retCode: 0, retMsg: 'OK', result: { list: [tickerRow(PRICE, PRICE, T0)] }, time: 1e300 })),
  ],
  ['lists another market', listChanged(([row]) => [{ ...row, symbol: 'BTCPERP' }])],
])('an exchange that %s gives no figure', async (_, fault) => {
  const ask = await open({ EXCHANGE: 'bybit', REFERRAL_CODE: '77' });
  server.fail('market/tickers', fault, fault, fault, fault);
  const { text, figures } = await ask('btc funding');
  expect(text).toContain('the exchange does not answer');
  expect(figures.list.map(({ label }) => label)).not.toContain('Funding rate of Bitcoin (BTC)');
});

test('an exchange without open interest says so, and negative funding names who pays', async () => {
  const ask = await open({ EXCHANGE: 'bybit', REFERRAL_CODE: '77' });
  server.fail(
    'market/tickers',
    listChanged(([row]) => [{ ...row, fundingRate: '-0.000034', openInterest: '', openInterestValue: '' }]),
  );
  const { text } = await ask('btc funding');
  expect(text).toContain("**-0.0034%** of a position's value, shorts pay longs.");
  expect(text).toContain('- Open interest: this exchange does not tell it.');
});

test('OKX tells the rate that is due next, and open interest in BTC and dollars', async () => {
  const ask = await open(onOkx());
  const { text, figures } = await ask('what is the funding rate of btc');
  expect(text).toContain('- Funding rate: **0.0125%** of a position');
  expect(text).toContain('longs pay shorts. It is due on 23 Nov 2026 at 16:00 UTC.');
  expect(text).toContain('- Open interest: **$1.7B**, 28,418 BTC.');
  expect(figures.sources).toContainEqual({ tool: 'quotes', name: 'OKX BTC-USDT-SWAP perpetual', asOf: new Date(now).toISOString() });
});

test.each([
  ['never answers', 'public/open-interest', ignored],
  ['sends an impossible rate', 'public/funding-rate', rowsChanged(([row]) => [{ ...row, fundingRate: '-1.5' }])],
  ['sends no time', 'public/funding-rate', rowsChanged(([row]) => [{ ...row, fundingTime: '' }])],
  ['lists another market', 'public/funding-rate', rowsChanged(([row]) => [{ ...row, instId: 'ETH-USDT-SWAP' }])],
  ['sends a negative open interest', 'public/open-interest', rowsChanged(([row]) => [{ ...row, oiCcy: '-1' }])],
])('OKX gives no figure if it %s', async (_, call, fault) => {
  const ask = await open(onOkx());
  okx.fail(call, fault, fault, fault, fault);
  expect((await ask('btc funding')).text).toContain('the exchange does not answer');
});

test('OKX without open interest in dollars says so', async () => {
  const ask = await open(onOkx());
  okx.fail(
    'public/open-interest',
    rowsChanged(([{ oiUsd: _, ...row }]) => [row]),
  );
  expect((await ask('btc funding')).text).toContain('- Open interest: this exchange does not tell it.');
});

test('a replay of history has no funding of today', async () => {
  const ask = await open({ PAPER_FEED: 'replay' });
  expect((await ask('btc funding')).text).toContain('the exchange on which bots trade here gives none');
});
