import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { createBotChart } from '#server/bots/api/history/chart.ts';
import { readConfig } from '#server/config.ts';
import { botEvents, botOrders, botSignals, bots, botTrades } from '#server/db/schema/bots.ts';
import { leases } from '#server/db/schema/operations.ts';
import { paperFeed } from '#server/db/schema/paper.ts';
import { budgets } from '#server/db/schema/requests.ts';
import type { ExchangeAccount, NewOrder } from '#server/ports/exchange/exchange.ts';
import { openExchange } from '#server/ports/exchange/exchanges.ts';
import type { OpenedExchange } from '#server/ports/exchange/open-context.ts';
import { createRig, plantBots } from '#tests/support/bots/bot-rig.ts';
import { type BybitServer, startBybit } from '#tests/support/bots/bybit/bybit-server.ts';
import { instead, listChanged, neverArrives, truncated } from '#tests/support/bots/bybit/faults.ts';
import { openTestDb, type TestDb } from '#tests/support/server/test-db.ts';

const T0 = Date.UTC(2026, 10, 23, 9, 0);
const PRICE = 60_000;
const KEYS = { key: 'paper-demo-key', secret: 'paper-demo-secret' };

let kept: TestDb;
let server: BybitServer;
let folder: string;
let now: number;
let price: number;
/** Our clock minus the exchange's, ms. */
let skew: number;
/** Mark minutes that are not flat. */
let shapes: Map<number, Partial<Candle>>;
let opened: OpenedExchange[];

const flat = (time: number): Candle => ({ time, open: PRICE, high: PRICE, low: PRICE, close: PRICE, volume: 0 });
const list = (from: number, length: number): Candle[] =>
  Array.from({ length: Math.floor((now - from) / length) + 1 }, (_, index) => flat(from + index * length));
const marks = () => list(T0 - 3 * HOUR, MINUTE).map((candle) => ({ ...candle, ...shapes.get(candle.time) }));
const candles = () => list(T0 - 100 * DAY, HOUR);

beforeAll(async () => {
  kept = await openTestDb();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-live-'));
  now = T0;
  price = PRICE;
  server = await startBybit({ now: () => now, price: () => price, candles, marks });
});
beforeEach(() => {
  [now, price, skew] = [T0 + 30 * SECOND, PRICE, 0];
  shapes = new Map();
  opened = [];
});
afterEach(async () => {
  for (const { exchange } of opened) await exchange.close();
  server.heal();
  for (const table of [bots, botSignals, paperFeed, leases, budgets]) await kept.db.delete(table);
});
afterAll(async () => {
  await server.close();
  await kept.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Starts wait for their first prices, and no check sets the feed's clock while a test moves it. */
const TIMING = { reach: 30_000, limit: 30_000, every: HOUR };

/** Opens the paper exchange as a process would. `shared`: other processes may use the database. */
async function open(feed?: 'live' | 'replay', { shared = false, mayChangeFeed = true } = {}) {
  const config = readConfig({ DATA_DIR: folder, EXCHANGE_BASE_URL: server.url, ...(feed && { PAPER_FEED: feed }) });
  const databaseUrl = shared ? 'postgres://shared' : undefined;
  const site = { db: kept.db, clock: () => now + skew, mayChangeFeed, timing: TIMING };
  const one = await openExchange({ ...config, databaseUrl }, site);
  opened.push(one);
  return one;
}

const accountOf = ({ exchange }: OpenedExchange, botId: string): ExchangeAccount =>
  exchange.account(KEYS, { userId: 'unknown', botId, capital: 10_000 });

async function openAccount(feed: 'live' | 'replay' = 'live') {
  const [botId = ''] = await plantBots(kept.db, 1, { positionSize: 10_000 });
  const process = await open(feed);
  const account = accountOf(process, botId);
  await account.prepare(15);
  return { process, account, botId };
}

const entry = (changes: Partial<NewOrder> = {}): NewOrder => ({
  ...{ clientId: 'entry-1', direction: 'buy', type: 'market', quantity: 0.1, stop: 59_000, target: 63_000 },
  ...changes,
});
const reasons = async (account: ExchangeAccount) => (await account.fills(0)).map(({ reason }) => reason);

describe('paper money on live prices', () => {
  test('fills orders at the last price, and the mark price triggers its stop', async () => {
    const { process, account } = await openAccount();
    expect(process.exchange.feed).toMatchObject({ source: 'Bybit BTCUSDT perpetual', speed: null });
    expect(process.exchange.feed.live?.()).toEqual({ staleSince: null });
    expect((await account.submit(entry())).price).toBeCloseTo(PRICE * 1.0002, 1);
    // Part of this minute is older than the order, so only its close counts.
    shapes.set(T0, { low: 58_000 });
    now = T0 + 2 * MINUTE;
    price = 58_500;
    expect(await reasons(account)).toEqual(['order']);
    shapes.set(T0 + 2 * MINUTE, { low: 58_900 });
    now = T0 + 2 * MINUTE + 50 * SECOND;
    expect(await reasons(account)).toEqual(['order']);
    now = T0 + 3 * MINUTE + 2 * SECOND;
    expect((await account.fills(0)).at(-1)).toMatchObject({ reason: 'stop', at: T0 + 2 * MINUTE, direction: 'sell' });
    expect(await account.position()).toBeNull();
  });

  test('an account is advanced alike by every process, however often it is read', async () => {
    const { account, botId } = await openAccount();
    await account.submit(entry({ target: 60_500 }));
    shapes.set(T0 + 5 * MINUTE, { high: 60_700 });
    shapes.set(T0 + 7 * MINUTE, { low: 50_000 });
    const other = accountOf(await open('live'), botId);
    now = T0 + 10 * MINUTE;
    const [a, b] = await Promise.all([account.fills(0), other.fills(0)]);
    expect(a).toEqual(b);
    expect(a.map(({ reason }) => reason)).toEqual(['order', 'target']);
  });

  test('neither fills nor books while prices have stopped, says since when, and catches up minute by minute', async () => {
    const { process, account } = await openAccount();
    await account.submit(entry());
    const stopped = now;
    for (const path of ['market/tickers', 'market/mark-price-kline']) server.fail(path, ...Array(9).fill(neverArrives));
    shapes.set(T0 + 3 * MINUTE, { low: 58_000 });
    now = T0 + 6 * MINUTE;
    const order = entry({ clientId: 'close-1', direction: 'sell', reduceOnly: true });
    await expect(account.submit(order)).rejects.toMatchObject({ trouble: 'unavailable' });
    await expect(account.position()).rejects.toMatchObject({ trouble: 'unavailable' });
    expect(process.exchange.feed.live?.()).toEqual({ staleSince: stopped });
    server.heal();
    expect(await reasons(account)).toEqual(['order', 'stop']);
    expect((await account.fills(0)).at(-1)?.at).toBe(T0 + 3 * MINUTE);
    expect(process.exchange.feed.live?.()).toEqual({ staleSince: null });
    await expect(account.submit(order)).rejects.toMatchObject({ trouble: 'rejected' });
  });

  test('prices that carry an old date are not traded on', async () => {
    const { account } = await openAccount();
    now += 5 * MINUTE;
    const old = `{"retCode":0,"retMsg":"OK","result":{"list":[{"symbol":"BTCUSDT","lastPrice":"1"}]},"time":${T0}}`;
    server.fail('market/tickers', ...Array(3).fill(instead(200, old)));
    await expect(account.submit(entry())).rejects.toMatchObject({ trouble: 'unavailable' });
  });

  test.each([
    ['candles in another order', listChanged((rows) => [...rows].sort(() => -1))],
    ['an answer without two minutes', listChanged((rows) => rows.filter((_: unknown, index: number) => index !== 2 && index !== 3))],
    ['the same minute twice', listChanged((rows) => [rows[1], ...rows])],
    [
      'impossible candles',
      listChanged((rows) => rows.map((row: string[], index: number) => (index === 3 ? [row[0], '1', '1', '9', '1'] : row))),
    ],
    ['an open minute with other prices', listChanged((rows) => [[String(T0 + 10 * MINUTE), '1', '1', '1', '1'], ...rows.slice(1)])],
    ['half an answer', truncated],
  ])('a look survives %s', async (_, fault) => {
    const { account } = await openAccount();
    await account.submit(entry());
    shapes.set(T0 + 6 * MINUTE, { low: 58_000 });
    now = T0 + 10 * MINUTE + 5 * SECOND;
    server.fail('market/mark-price-kline', fault);
    await account.position().catch(() => undefined);
    expect((await account.fills(0)).at(-1)).toMatchObject({ reason: 'stop', at: T0 + 6 * MINUTE });
  });

  test('a stream reports the price, whatever its messages do', async () => {
    const { process } = await openAccount();
    const { btc } = process;
    await vi.waitFor(() => expect(server.streams.followers()).toBe(1));
    const at = () => btc?.priceAt(now);
    server.streams.hold();
    for (const next of [60_010, 60_020, 60_030]) {
      [now, price] = [now + SECOND, next];
      server.streams.tick();
    }
    server.streams.release((messages) => [...messages].reverse().concat(messages));
    await vi.waitFor(() => expect(at()).toBe(60_030));
    server.streams.cut();
    await vi.waitFor(() => expect(server.streams.followers()).toBe(1));
    [now, price] = [now + SECOND, 60_040];
    server.streams.tick();
    await vi.waitFor(() => expect(at()).toBe(60_040));
    // A delta without a price says that it has not changed.
    now += 20 * SECOND;
    server.streams.tick({ openInterest: '1' });
    await vi.waitFor(() => expect(process.exchange.feed.live?.()).toEqual({ staleSince: null }));
    expect(at()).toBe(60_040);
  });

  test('follow the clock of the exchange', async () => {
    skew = 2 * HOUR;
    const { process, account } = await openAccount();
    expect(process.exchange.feed.now()).toBe(now);
    expect((await account.submit(entry())).state).toBe('filled');
    expect(process.exchange.feed.live?.()).toEqual({ staleSince: null });
  });
});

describe('the feed of the paper market', () => {
  const kindOf = ({ exchange }: OpenedExchange) => (exchange.feed.live ? 'live' : 'replay');

  test('is live where the exchange can be reached at the start, or else the replay', async () => {
    expect(kindOf(await open())).toBe('live');
    server.fail('market/time', neverArrives);
    expect(kindOf(await open())).toBe('replay');
    expect(kindOf(await open('live'))).toBe('live');
  });

  test('after a ban of the address, no start asks the exchange for ten minutes', async () => {
    server.address.ban();
    expect(kindOf(await open())).toBe('replay');
    server.address.forgive();
    const { requests } = server.address.counts;
    expect(kindOf(await open())).toBe('replay');
    expect(server.address.counts.requests).toBe(requests);
    now += 11 * MINUTE;
    expect(kindOf(await open())).toBe('live');
  });

  test('starts on live prices without an answer, and trades when it comes', async () => {
    server.fail('market/tickers', ...Array(9).fill(neverArrives));
    server.streams.faults.isDown = true;
    const [botId = ''] = await plantBots(kept.db, 1);
    const process = await open('live');
    const account = accountOf(process, botId);
    await expect(account.prepare(15)).rejects.toMatchObject({ trouble: 'unavailable' });
    server.heal();
    await account.prepare(15);
    expect(await account.position()).toBeNull();
  });

  test('is one for all processes, and changes only when no other one runs', async () => {
    expect(kindOf(await open('replay', { shared: true }))).toBe('replay');
    expect(kindOf(await open('live', { shared: true }))).toBe('replay');
    for (const { exchange } of opened.splice(0)) await exchange.close();
    expect(kindOf(await open('live', { shared: true, mayChangeFeed: false }))).toBe('replay');
    for (const { exchange } of opened.splice(0)) await exchange.close();
    const both = await Promise.all([open('live', { shared: true }), open('replay', { shared: true })]);
    expect(new Set(both.map(kindOf)).size).toBe(1);
    // Killed processes hold it for half a minute.
    now += MINUTE;
    expect(kindOf(await open('live', { shared: true }))).toBe('live');
  });

  test('its change closes positions at the last price, once, with a line in the journal', async () => {
    const { process, account, botId } = await openAccount('replay');
    const at = process.btc?.priceAt(process.exchange.feed.now()) ?? 0;
    const engineOn = (one: OpenedExchange) =>
      createRig({ db: kept.db, candles: candles(), start: 10, clock: () => now, wrap: () => one.exchange });
    const { clientId } = await plantEntry(botId, process.exchange.feed.now());
    await account.submit(entry({ clientId, stop: Math.round(at * 0.96), target: Math.round(at * 1.3) }));
    await engineOn(process).engine.runBotCycle(botId);
    const before = await account.position();
    expect(before).not.toBeNull();
    now += 3 * MINUTE;
    const end = process.btc?.priceAt(process.exchange.feed.now()) ?? 0;
    const later = process.exchange.feed.now();
    await kept.db.update(bots).set({ handledCandle: later });

    const live = await open('live');
    const { engine } = engineOn(live);
    for (let round = 0; round < 3; round++) await engine.runBotCycle(botId, later + round);
    const trades = await kept.db.select().from(botTrades).where(eq(botTrades.botId, botId));
    expect(trades).toMatchObject([{ reason: 'feed', exitPrice: end }]);
    const closed = (await kept.db.select().from(botEvents).where(eq(botEvents.botId, botId))).filter(({ kind }) => kind === 'closed');
    expect(closed.map(({ text }) => text)).toEqual([
      expect.stringContaining('because the prices of paper money changed between live and replay, at '),
    ]);
    const [bot] = await kept.db.select().from(bots).where(eq(bots.id, botId));
    expect(bot).toMatchObject({ position: null, handledCandle: null, status: 'RUNNING' });
    await expect(accountOf(live, botId).submit(entry({ clientId }))).rejects.toMatchObject({ trouble: 'duplicate' });
    expect((await accountOf(live, botId).submit(entry({ clientId: 'next' }))).price).toBeCloseTo(PRICE * 1.0002, 1);
  });

  test("its change is on a bot's chart, without the trades of the feed before", async () => {
    const { botId, process } = await openAccount('replay');
    const [bot] = await kept.db.select().from(bots).where(eq(bots.id, botId));
    const chartOn = ({ exchange }: OpenedExchange) => createBotChart({ db: kept.db, exchange }).chart(bot?.userId ?? '', botId);
    const facts = { userId: bot?.userId ?? '', botId, side: 'long', quantity: 0.01, entryPrice: 60_000 } as const;
    const addTrade = (entryId: string, feedOpened: number) =>
      kept.db.insert(botTrades).values({ ...facts, entryId, openedAt: new Date(now), feedOpened });
    await addTrade('on-replay', process.exchange.feed.now());
    expect(await chartOn(process)).toMatchObject({ prices_began: null, trades: [{ opened: now }] });

    now += 3 * MINUTE;
    const live = await open('live');
    const began = now;
    now += MINUTE;
    await addTrade('on-live', now);
    expect(await chartOn(live)).toMatchObject({ prices_began: began, trades: [{ opened: now }] });
  });

  test('its change is whole or nothing, and a process that slept through it changes nothing', async () => {
    const { account, botId, process } = await openAccount('replay');
    const at = process.btc?.priceAt(process.exchange.feed.now()) ?? 0;
    await account.submit(entry({ stop: Math.round(at * 0.8), target: Math.round(at * 1.3) }));
    await kept.db.update(bots).set({ guards: { markedTo: 0, guards: null } });
    await expect(open('live')).rejects.toThrow();
    expect(await account.position()).not.toBeNull();
    expect(await kept.db.select({ epoch: paperFeed.epoch }).from(paperFeed)).toEqual([{ epoch: 1 }]);
    await kept.db.update(bots).set({ guards: {} });
    await open('live');
    await expect(account.cancel('none')).rejects.toThrow('Restart this one');
    const other = accountOf(await open('live'), botId);
    expect(await reasons(other)).toEqual(['order', 'feed']);
  });

  test('a change to the replay needs no network: positions close at the last stored price', async () => {
    const { account, botId, process } = await openAccount();
    await account.submit(entry());
    await kept.db.update(paperFeed).set({ lastPrice: 60_123.4, lastPriceAt: now });
    await process.exchange.close();
    server.address.ban();
    const replay = accountOf(await open('replay'), botId);
    expect((await replay.fills(0)).at(-1)).toMatchObject({ reason: 'feed', price: 60_123.4 });
    expect(await replay.position()).toBeNull();
    server.address.forgive();
    now += 11 * MINUTE;
    expect(await reasons(accountOf(await open('live'), botId))).toEqual(['order', 'feed']);
  });
});

/** Records an entry as the engine does before it sends it. */
async function plantEntry(botId: string, candle: number): Promise<{ clientId: string }> {
  const clientId = `entry of ${botId}`.slice(0, 36);
  const { db } = kept;
  const sent = { purpose: 'entry', direction: 'buy', quantity: 0.1, state: 'accepted', fence: 0 } as const;
  await db.insert(botOrders).values({ clientId, botId, candle, ...sent });
  return { clientId };
}
