import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR, SECOND } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { onMeasured } from '#server/metrics/measurements.ts';
import { createBybit } from '#server/ports/exchange/bybit/bybit.ts';
import type { Exchange } from '#server/ports/exchange/exchange.ts';
import { type BybitServer, startBybit } from '#tests/support/bots/bybit/bybit-server.ts';
import { doneButRefused, instead, listChanged, neverArrives, refused } from '#tests/support/bots/bybit/faults.ts';
import { freeBudget } from '#tests/support/bots/bybit/free-budget.ts';
import {
  expectExecutions,
  expectMonth,
  expectOwnOrders,
  expectPosition,
  PRICE,
  risingCandle,
  T0,
  tradeForMonth,
  troubleOf,
} from '#tests/support/bots/live-account.ts';
import { marketOrder, newOrderId } from '#tests/support/bots/sample-order.ts';

let now = T0;
let price = PRICE;
let candles: Candle[] = [];
let server: BybitServer;
let partner: ReturnType<BybitServer['open']>;
let bybit: Exchange;

beforeAll(async () => {
  server = await startBybit({ now: () => now, price: () => price, candles: () => candles });
  partner = server.open('partner');
  bybit = createBybit({
    testnet: false,
    urls: [server.url],
    referral: { code: '77', affiliate: { key: partner.key, secret: partner.secret } },
    clock: () => now,
    budget: freeBudget,
    interval: HOUR,
    report: () => undefined,
    patience: { answer: 5000, limit: 2000 },
  });
});
afterEach(() => {
  server.heal();
  now = T0;
  price = PRICE;
});
afterAll(async () => {
  await bybit.close();
  await server.close();
});

const wait = (ms: number): void => {
  now += ms;
};

let opened = 0;
function open(info: Parameters<BybitServer['open']>[1] = {}) {
  const key = server.open(`one-${++opened}`, { balance: 10_000, ...info });
  return { ...key, key, account: bybit.account({ key: key.key, secret: key.secret }, { userId: '', botId: randomUUID(), capital: 1 }) };
}

const ready = async () => {
  const it = open();
  await it.account.prepare(10);
  return it;
};

describe('a key', () => {
  test('returns its account and permissions', async () => {
    const may = { mayTrade: true, mayWithdraw: false, restricted: false };
    const facts = { ...may, accountId: '501', referred: true, expiresAt: T0 + 5 * DAY, takerFee: 0.00055 };
    const measured: unknown[] = [];
    const end = onMeasured('exchangeCall', (what) => measured.push(what));
    expect(await open({ userId: 501, affiliateId: 77, expiresAt: T0 + 5 * DAY }).account.check()).toEqual(facts);
    end();
    expect(measured).toContainEqual({ exchange: 'bybit', outcome: 'ok', seconds: expect.any(Number) });
  });

  const feeOf = (takerFeeRate: unknown) => listChanged((list) => list.map((row) => ({ ...row, takerFeeRate })));
  test.each([
    ['0.0004', feeOf('0.0004'), 0.0004],
    ['a fee in percent', feeOf('0.055'), null],
    ['0', feeOf('0'), null],
    ['no number', feeOf(''), null],
    ['a negative fee', feeOf('-0.0001'), null],
    ['an empty list', listChanged(() => []), null],
    ['another market', listChanged((list) => list.map((row) => ({ ...row, symbol: 'ETHUSDT' }))), null],
    ['a refusal', refused(10005, 'Permission denied'), null],
    ['HTML', instead(200, '<html></html>'), null],
    ['nothing', neverArrives, null],
  ])('is described all the same when the fee is %s', async (_, fault, takerFee) => {
    const { account } = open({ affiliateId: 77 });
    server.fail('account/fee-rate', fault);
    expect(await account.check()).toMatchObject({ mayTrade: true, takerFee });
  });

  test('of a referred user is recognized with the operator’s own key', async () => {
    const customer = open({ userId: 601 });
    const stranger = open({ userId: 602 });
    server.introduce(partner, customer.key);
    expect((await customer.account.check()).referred).toBe(true);
    expect((await stranger.account.check()).referred).toBe(false);
  });

  test('is not called unreferred while the check fails', async () => {
    server.fail('user/aff-customer-info', instead(500, ''), refused(10004, 'error sign!'));
    const { account } = open();
    expect(await troubleOf(account.check())).toMatch(/^unavailable/);
    expect(await troubleOf(account.check())).toMatch(/^unavailable/);
  });

  test.each([
    [{ revoked: true }, 'invalid-key 10003'],
    [{ secret: 'another' }, 'invalid-key 10004'],
    [{ expiresAt: 1 }, 'invalid-key 33004'],
    [{ ips: ['203.0.113.7'] }, 'address 10010'],
    [{ readOnly: true }, 'permission 10005'],
  ])('reports a change to %o', async (change, trouble) => {
    const { key, account } = await ready();
    Object.assign(key, change);
    expect(await troubleOf(account.submit(marketOrder()))).toBe(trouble);
    expect(key.venue.orders).toEqual([]);
  });
});

describe('an account', () => {
  test('is set to isolated margin, one-way mode and a leverage, repeatably', async () => {
    const { venue, account } = open();
    venue.settings.hedge = true;
    await account.prepare(7);
    await account.prepare(7);
    expect(venue.settings).toEqual({ marginMode: 'ISOLATED_MARGIN', hedge: false });
    expect(venue.leverage()).toBe(7);
  });

  test('can be set up with a position if it is already in one-way mode', async () => {
    const { account } = await ready();
    await account.submit(marketOrder());
    server.fail('position/switch-mode', refused(110024, 'You have an existing position, so position mode cannot be switched'));
    await account.prepare(10);
    server.fail('position/switch-mode', refused(110024, 'You have an existing position, so position mode cannot be switched'));
    server.fail(
      'position/list',
      listChanged((list) => list.map((row) => ({ ...row, positionIdx: 1 }))),
    );
    expect(await troubleOf(account.prepare(10))).toBe('rejected 110024');
  });

  test('returns its position and equity', async () => {
    const { venue, account } = await ready();
    await account.submit(marketOrder());
    price = 61_000;
    await expectPosition({ venue, account });
  });
});

describe('an order', () => {
  test('is filled, found by its id, and accepted once', async () => {
    const { venue, account } = await ready();
    const given = marketOrder();
    expect(await account.submit(given)).toMatchObject({ clientId: given.clientId, state: 'open', quantity: 0.05 });
    const found = await account.find(given.clientId);
    expect(found).toMatchObject({ clientId: given.clientId, state: 'filled', filled: 0.05, quantity: 0.05 });
    expect(found?.fees).toBeGreaterThan(0);
    expect(await account.find(newOrderId())).toBeUndefined();
    expect(await troubleOf(account.submit(given))).toBe('duplicate 110072');
    expect(venue.orders).toHaveLength(1);
  });

  test('rests, is listed and canceled; the owner’s own orders are neither', async () => expectOwnOrders(await ready()));

  test.each([
    [refused(110007, 'ab not enough'), 'funds 110007'],
    [refused(110017, 'reduce-only'), 'rejected 110017'],
    [refused(10001, 'params error'), 'rejected 10001'],
    [refused(654321, 'never heard of'), 'rejected 654321'],
    [refused(10016, 'Server error.'), 'unclear 10016'],
    [doneButRefused(10000, 'Server Timeout'), 'unclear 10000'],
    [neverArrives, 'unclear'],
    [instead(500, ''), 'unclear'],
    [instead(200, '<html></html>'), 'unclear'],
  ])('that fails says whether it may have been executed (%#)', async (fault, trouble) => {
    const { account } = await ready();
    server.fail('order/create', fault);
    expect(await troubleOf(account.submit(marketOrder()))).toBe(trouble);
  });

  test('waits for a rate limit as long as the exchange says, up to a maximum', async () => {
    const { account } = await ready();
    const soon = { 'x-bapi-limit-reset-timestamp': String(T0 + 300) };
    const late = { 'x-bapi-limit-reset-timestamp': String(T0 + HOUR) };
    server.fail('order/create', refused(10006, 'Too many visits!', soon));
    expect((await account.submit(marketOrder())).state).toBe('open');
    server.fail('order/create', refused(10006, 'Too many visits!', late));
    expect(await troubleOf(account.submit(marketOrder()))).toBe('rate-limit 10006');
  });

  test('corrects a clock difference once', async () => {
    const { account } = await ready();
    server.fail('order/create', refused(10002, 'timestamp'));
    expect((await account.submit(marketOrder())).state).toBe('open');
    server.fail('order/create', refused(10002, 'timestamp'), refused(10002, 'timestamp'));
    expect(await troubleOf(account.submit(marketOrder()))).toBe('clock 10002');
  });
});

describe('a position', () => {
  test('is protected again; an unchanged setting counts as success', async () => {
    const { venue, account } = await ready();
    await account.submit(marketOrder());
    venue.byHand.removeStop();
    await account.protect(58_500, null);
    await account.protect(58_500, null);
    expect(venue.position()).toMatchObject({ stop: 58_500, target: null });
    expect(await troubleOf(account.protect(61_000, null))).toBe('rejected 10001');
  });

  test('is read from its executions: entry, funding, a partial close by hand, and the stop', async () => {
    await expectExecutions(await ready(), { now: () => now, wait });
  });

  test('is read from weeks ago, page by page, each execution once', async () => {
    const { venue, account } = await ready();
    const since = now;
    tradeForMonth(venue, wait);
    server.fail(
      'execution/list',
      listChanged((list) => [...list, ...list]),
    );
    expectMonth(await account.fills(since));
  });
});

describe('the market', () => {
  test('has every closed candle once, despite an outage, a gap, a duplicate and a candle from the future', async () => {
    candles = Array.from({ length: 60 }, (_, index) => risingCandle(index));
    const at = (hour: number) => {
      now = T0 + hour * HOUR + 2 * SECOND;
    };
    const five = async () => (await bybit.feed.closed(5)).map(({ time }) => (time - T0) / HOUR);
    at(20);
    expect(await five()).toEqual([15, 16, 17, 18, 19]);
    at(24);
    server.fail('market/kline', instead(503, '<html></html>'));
    expect(await troubleOf(bybit.feed.closed(5))).toBe('unavailable');
    expect(await five()).toEqual([19, 20, 21, 22, 23]);
    at(27);
    server.fail(
      'market/kline',
      listChanged((list) => list.slice(1)),
    );
    await five();
    expect(await five()).toEqual([22, 23, 24, 25, 26]);
    at(29);
    server.fail(
      'market/kline',
      listChanged((list) => [...list, ...list]),
    );
    expect(await five()).toEqual([24, 25, 26, 27, 28]);
    at(31);
    const { time, open: first, high, low, close } = risingCandle(45);
    server.fail(
      'market/kline',
      listChanged((list) => [[time, first, high, low, close, 1, 1].map(String), ...list]),
    );
    expect(await bybit.feed.closed(5)).toEqual([26, 27, 28, 29, 30].map(risingCandle));
    expect(await bybit.feed.forming()).toMatchObject({ time: T0 + 31 * HOUR });
  });
});

test('an account makes only the calls it needs, and never cancels all orders', () => {
  const paths = new Set(server.calls.map(({ path }) => path));
  expect([...paths].filter((path) => /cancel-all|amend|batch|withdraw|transfer/.test(path))).toEqual([]);
});
