import { randomUUID } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '#domain/clock.ts';
import { createAddressBudget } from '#server/ports/exchange/address-budget.ts';
import { createBybit } from '#server/ports/exchange/bybit/bybit.ts';
import type { Exchange } from '#server/ports/exchange/exchange.ts';
import { type BybitServer, startBybit } from '#tests/support/bots/bybit/bybit-server.ts';
import { envelope, instead, listChanged, refused } from '#tests/support/bots/bybit/faults.ts';
import { freeBudget } from '#tests/support/bots/bybit/free-budget.ts';
import { serveReplies } from '#tests/support/bots/fake-exchange.ts';
import { expectCautiousMargins, expectShortAnswers, PRICE, T0, troubleOf } from '#tests/support/bots/live-account.ts';
import { marketOrder } from '#tests/support/bots/sample-order.ts';
import { openTestDb, type TestDb } from '#tests/support/server/test-db.ts';

/** What Bybit's documentation allows it to do, as the adapter sees it. */

let now = T0;
let price = PRICE;
let mark: number | undefined;
let server: BybitServer;
let partner: ReturnType<BybitServer['open']>;
let bybit: Exchange;
let kept: TestDb;

const options = () => ({
  testnet: false,
  urls: [server.url] as const,
  referral: { affiliate: { key: partner.key, secret: partner.secret } },
  clock: () => now,
  budget: freeBudget,
  interval: HOUR,
  report: () => undefined,
  patience: { answer: 5000, limit: 300 },
});

beforeAll(async () => {
  kept = await openTestDb();
  server = await startBybit({ now: () => now, price: () => price, mark: () => mark ?? price });
  partner = server.open('partner', { userId: 100 });
  bybit = createBybit(options());
});
afterEach(() => {
  server.heal();
  now = T0;
  price = PRICE;
  mark = undefined;
});
afterAll(async () => {
  await bybit.close();
  await server.close();
  await kept.close();
});

function open(info: Parameters<BybitServer['open']>[1] = {}) {
  const key = server.open(randomUUID(), { balance: 10_000, ...info });
  return { ...key, key, account: bybit.account({ key: key.key, secret: key.secret }, { userId: '', botId: randomUUID(), capital: 1 }) };
}

async function ready() {
  const it = open();
  await it.account.prepare(10);
  return it;
}

test('an order is accepted first, and filled later', async () => {
  const { venue, account } = await ready();
  venue.cruelty.orderDelay = 5 * SECOND;
  const given = marketOrder();
  expect(await account.submit(given)).toMatchObject({ state: 'open', filled: 0 });
  expect((await account.snapshot()).position).toBeNull();
  now += 5 * SECOND;
  expect(await account.find(given.clientId)).toMatchObject({ state: 'filled', filled: 0.05 });
  expect((await account.snapshot()).position).toMatchObject({ quantity: 0.05, stop: 59_000 });
});

test('an accepted order is rejected later, or in no list until then', async () => {
  const { venue, account } = await ready();
  Object.assign(venue.cruelty, { orderDelay: 5 * SECOND, hidesAccepted: true, rejectReason: 'EC_NoImmediateQtyToFill' });
  const given = marketOrder();
  expect(await account.submit(given)).toMatchObject({ state: 'open' });
  expect(await account.find(given.clientId)).toBeUndefined();
  now += 5 * SECOND;
  expect(await account.find(given.clientId)).toMatchObject({ state: 'rejected', reject: 10001 });
});

test('a canceled order that nothing filled is forgotten after a day and a restart', async () => {
  const { venue, account } = await ready();
  const { stop: _, target: __, ...resting } = marketOrder({ type: 'limit', price: 50_000 });
  const filled = marketOrder();
  await account.submit(resting);
  await account.submit(filled);
  await account.cancel(resting.clientId);
  now += DAY - 1;
  venue.restart();
  expect(await account.find(resting.clientId)).toMatchObject({ state: 'cancelled' });
  now += 1;
  expect(await account.find(resting.clientId)).toBeUndefined();
  expect(await account.find(filled.clientId)).toMatchObject({ state: 'filled' });
});

test('executions arrive later than the position', async () => {
  const { venue, account } = await ready();
  venue.cruelty.executionDelay = MINUTE;
  await account.submit(marketOrder());
  expect((await account.snapshot()).position).toMatchObject({ quantity: 0.05 });
  expect(await account.fills(T0)).toEqual([]);
  now += MINUTE;
  expect(await account.fills(T0)).toMatchObject([{ at: T0, quantity: 0.05 }]);
});

test('auto-deleveraging closes a position and has its own reason', async () => {
  const { venue, account } = await ready();
  await account.submit(marketOrder());
  venue.deleverage();
  expect((await account.snapshot()).position).toBeNull();
  expect((await account.fills(T0)).map(({ reason, clientId }) => [reason, clientId === null])).toEqual([
    ['order', false],
    ['adl', true],
  ]);
});

test('the mark price triggers the stop, and the last price the target', async () => {
  const { venue, account } = await ready();
  await account.submit(marketOrder());
  const at = (low: number, high: number) => ({ time: now, open: PRICE, low, high, close: low });
  mark = 59_500;
  venue.advanceApart(at(54_000, PRICE), at(59_500, PRICE));
  expect((await account.snapshot()).position).toMatchObject({ markPrice: 59_500, stop: 59_000, target: 63_000 });
  venue.advanceApart(at(PRICE, PRICE), at(58_900, PRICE));
  expect((await account.snapshot()).position).toBeNull();
  expect((await account.fills(T0)).map(({ reason }) => reason)).toEqual(['order', 'stop']);
});

test('the position is dated when it opened, not when the account first had one', async () => {
  const { venue, account } = await ready();
  await account.submit(marketOrder());
  venue.byHand.close();
  now += HOUR;
  await account.submit(marketOrder());
  expect((await account.position())?.openedAt).toBe(T0 + HOUR);
});

test('a look at an account costs two requests, an order one, and the checks before it one more than the look', async () => {
  const { account } = await ready();
  const countOf = async (run: () => Promise<unknown>) => {
    const before = server.address.counts.requests;
    await run();
    return server.address.counts.requests - before;
  };
  expect(await countOf(async () => [await account.position(), await account.standing()])).toBe(2);
  expect(await countOf(() => account.submit(marketOrder()))).toBe(1);
  expect(await countOf(async () => [await account.fills(now), await account.position()])).toBe(2);
  now += 6 * SECOND;
  expect(await countOf(() => account.standing())).toBe(2);
});

test('all keys share connections, from the first request', async () => {
  const fresh = createBybit(options());
  const before = server.connections();
  for (const { key } of [open(), open(), open()]) {
    const account = fresh.account({ key: key.key, secret: key.secret }, { userId: '', botId: randomUUID(), capital: 1 });
    for (let looks = 0; looks < 4; looks++) await account.position();
  }
  expect(server.connections() - before).toBeLessThan(6);
  await fresh.close();
});

test.each([
  [10032, 'Demo trading are not supported.'],
  [10017, 'Route not found.'],
])('a key that cannot be described counts as good on demo alone (%i)', async (code, message) => {
  const { key, secret } = open().key;
  const owner = { userId: '', botId: randomUUID(), capital: 1 };
  const demo = createBybit({ ...options(), isDemo: true });
  server.fail('user/query-api', refused(code, message), refused(code, message), refused(code, message));
  expect(await demo.account({ key, secret }, owner).check()).toMatchObject({ mayTrade: true, mayWithdraw: false, referred: true });
  await expect(demo.account({ key, secret: 'another' }, owner).check()).rejects.toMatchObject({ trouble: 'invalid-key' });
  await expect(bybit.account({ key, secret }, owner).check()).rejects.toMatchObject({ code });
  await demo.close();
});

test('a ban of the address stops the requests of all processes for ten minutes', async () => {
  const {
    account,
    key: { key, secret },
  } = open();
  await account.prepare(10);
  const limit = { max: 1000, span: 500 };
  const another = async () => {
    const budget = createAddressBudget({ db: kept.db, clock: () => now, isAlone: true, name: 'requests:ban', limit });
    return createBybit({ ...options(), budget }).account({ key, secret }, { userId: '', botId: randomUUID(), capital: 1 });
  };
  const [one, two] = [await another(), await another()];
  server.address.ban();
  await expect(one.submit(marketOrder())).rejects.toMatchObject({ trouble: 'rate-limit' });
  const { requests } = server.address.counts;
  for (const banned of [one, two]) {
    await expect(banned.position()).rejects.toMatchObject({ trouble: 'rate-limit' });
    await expect(banned.protect(59_000, null)).rejects.toThrow('until 00:10 UTC');
  }
  expect(server.address.counts.requests).toBe(requests);
  now += 10 * MINUTE;
  expect(await Promise.all([one.position(), two.position()])).toEqual([null, null]);
  expect(server.address.counts.refused).toBe(1);
});

test('ticks, lots and margins come from the exchange, once a day, and stay when it does not answer', async () => {
  const ticks = (tickSize: string, qtyStep: string) =>
    listChanged((list) => list.map((row) => ({ ...row, priceFilter: { tickSize }, lotSizeFilter: { ...row.lotSizeFilter, qtyStep } })));
  const fresh = createBybit(options());
  server.fail('market/instruments-info', ticks('0.50', '0.01'));
  server.fail(
    'market/risk-limit',
    listChanged(([lowest]) => [{ ...lowest, maintenanceMargin: '0.02' }]),
  );
  const tier = (value: number, maintenance: number) => ({ value, quantity: Number.POSITIVE_INFINITY, maintenance });
  expect(await fresh.terms()).toEqual({ quantity: 0.01, price: 0.5, least: 0.001, tiers: [tier(2_000_000, 0.02)] });
  const { key, account } = await ready();
  await fresh.account({ key: key.key, secret: key.secret }, { userId: '', botId: '', capital: 1 }).submit(marketOrder({ stop: 59_000.3 }));
  expect((await account.position())?.stop).toBe(59_000.5);
  now += DAY - 1;
  server.fail('market/instruments-info', ticks('0.20', '0.001'));
  expect((await fresh.terms()).price).toBe(0.5);
  now += 1;
  server.heal();
  server.fail('market/instruments-info', refused(10016, 'Server error.'));
  server.fail('market/risk-limit', refused(10016, 'Server error.'));
  expect(await fresh.terms()).toMatchObject({ price: 0.5, tiers: [tier(2_000_000, 0.02)] });
  now += HOUR;
  const tiers = [tier(2_000_000, 0.005), tier(2_600_000, 0.0056)];
  expect(await fresh.terms()).toEqual({ quantity: 0.001, price: 0.1, least: 0.001, tiers });
  await fresh.close();
});

test.each([
  ['an empty list', listChanged(() => [])],
  ['no tier of the market', listChanged((list) => list.map((row) => ({ ...row, symbol: 'ETHUSDT' })))],
  ['a margin in percent', listChanged(([lowest, ...rest]) => [{ ...lowest, maintenanceMargin: '0.8' }, ...rest])],
  ['a margin of nearly 0', listChanged(([lowest, ...rest]) => [{ ...lowest, maintenanceMargin: '0.00005' }, ...rest])],
  ['a margin that falls while positions grow', listChanged(([lowest, next]) => [lowest, { ...next, maintenanceMargin: '0.004' }])],
  ['HTML', instead(200, '<html></html>')],
])('margins are cautious after %s, and read again an hour later', async (_, fault) => {
  server.fail('market/risk-limit', fault);
  const wait = (ms: number): void => {
    now += ms;
  };
  await expectCautiousMargins((report) => createBybit({ ...options(), report }), wait);
});

type Account = Awaited<ReturnType<typeof ready>>['account'];
const CALLS: [string, (account: Account) => Promise<unknown>][] = [
  ['order/create', (account) => account.submit(marketOrder({ quantity: 0.001 }))],
  ['order/realtime', async (account) => [await account.find(known), (await account.snapshot()).openOrders]],
  ['execution/list', (account) => account.fills(T0)],
  ['position/list', (account) => account.position()],
  ['account/wallet-balance', (account) => account.snapshot()],
  ['user/query-api', (account) => account.check()],
  ['account/fee-rate', (account) => account.check()],
];
let known = '';

test.each(CALLS)('a text of 100 kB in the answer of %s is no answer', async (path, call) => {
  const { account } = await ready();
  const { stop: _, target: __, ...resting } = marketOrder({ type: 'limit', price: 50_000 });
  known = resting.clientId;
  await account.submit(resting);
  await account.submit(marketOrder());
  await expectShortAnswers(
    (fault) => server.fail(path, fault),
    () => call(account),
  );
});

test.each(CALLS.slice(1, 4))('a list of more than a page in the answer of %s is no answer', async (path, call) => {
  const { account } = await ready();
  const given = marketOrder();
  known = given.clientId;
  await account.submit(given);
  const rows = (count: number) => listChanged(([row]) => Array.from({ length: count }, () => row));
  server.fail(path, rows(1000));
  expect(await troubleOf(call(account))).toBe('none');
  server.fail(path, rows(1001));
  expect(await troubleOf(call(account))).toBe('unavailable');
});

test.each(['plain', 'gzip', 'br'])('an answer of more than 4 MB is none (%s)', async (encoding) => {
  const pack = { plain: (text: string) => text, gzip: gzipSync, br: brotliCompressSync }[encoding] ?? String;
  const { body } = envelope(0, 'OK', { list: [{ size: '0' }], nextPageCursor: '' }, now);
  const headers = encoding === 'plain' ? {} : { 'content-encoding': encoding };
  // Packed before the call, which has a time limit.
  const replyOf = (bytes: number) => ({ status: 200, headers, body: pack(body.padEnd(bytes)) as string });
  let reply = replyOf(4_000_000);
  const { url, close } = await serveReplies(async () => reply);
  const exchange = createBybit({ ...options(), urls: [url] });
  const account = exchange.account({ key: 'key', secret: 'secret' }, { userId: '', botId: randomUUID(), capital: 1 });
  expect(await account.position()).toBeNull();
  reply = replyOf(4_000_001);
  expect(await troubleOf(account.position())).toBe('unavailable');
  await exchange.close();
  await close();
});

test('a subaccount counts as referred by the id of its main account', async () => {
  const main = server.open('main', { userId: 901 });
  server.introduce(partner, main);
  expect((await open({ userId: 902, parentUid: 901 }).account.check()).referred).toBe(true);
  expect((await open({ userId: 903, parentUid: 904 }).account.check()).referred).toBe(false);
});

test('an address with more than 600 requests in 5 s is banned for ten minutes', async () => {
  const ask = async () => (await fetch(`${server.url}/v5/market/time`)).status;
  server.address.limit({ requests: 3, span: 5 * SECOND });
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 403]);
  now += 10 * MINUTE - 1;
  expect(await ask()).toBe(403);
  now += 1;
  expect(await ask()).toBe(200);
});
