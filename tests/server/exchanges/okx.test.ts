import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR, SECOND } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import type { Exchange, NewOrder } from '#server/ports/exchange/exchange.ts';
import { createOkx } from '#server/ports/exchange/okx/okx.ts';
import { answerLost, doneBut, type Fault, instead, neverArrives } from '#tests/support/bots/bybit/faults.ts';
import { freeBudget } from '#tests/support/bots/bybit/free-budget.ts';
import {
  expectCautiousMargins,
  expectExecutions,
  expectMonth,
  expectOwnOrders,
  expectPosition,
  expectShortAnswers,
  PRICE,
  risingCandle,
  T0,
  tradeForMonth,
  troubleOf,
} from '#tests/support/bots/live-account.ts';
import { doneButRefusedByOkx, refusedByOkx, rowsChanged } from '#tests/support/bots/okx/okx-faults.ts';
import { type OkxServer, startOkx } from '#tests/support/bots/okx/okx-server.ts';
import { marketOrder, newOrderId } from '#tests/support/bots/sample-order.ts';

let now = T0;
let price = PRICE;
let candles: Candle[] = [];
let server: OkxServer;
let partner: ReturnType<OkxServer['open']>;
let okx: Exchange;

const options = () => ({
  demo: false,
  url: server.url,
  affiliate: partner,
  clock: () => now,
  budget: freeBudget,
  interval: HOUR,
  report: () => undefined,
  patience: { answer: 5000, limit: 600 },
});

beforeAll(async () => {
  server = await startOkx({ now: () => now, price: () => price, candles: () => candles });
  partner = server.open('partner');
  okx = createOkx(options());
});
afterEach(() => {
  server.heal();
  now = T0;
  price = PRICE;
});
afterAll(async () => {
  await okx.close();
  await server.close();
});

const wait = (ms: number): void => {
  now += ms;
};

let opened = 0;
function open(info: Parameters<OkxServer['open']>[1] = {}, exchange = okx) {
  const key = server.open(`one-${++opened}`, { balance: 10_000, ...info });
  return {
    ...key,
    key,
    account: exchange.account(
      { key: key.key, secret: key.secret, passphrase: key.passphrase },
      { userId: '', botId: randomUUID(), capital: 1 },
    ),
  };
}

const closing = (): NewOrder => ({ clientId: newOrderId(), direction: 'sell', type: 'market', quantity: 0.05, reduceOnly: true });
const ready = async () => {
  const it = open();
  await it.account.prepare(10);
  return it;
};
const callsOf = (path: string) => server.calls.filter((call) => call.path === path);

describe('a key', () => {
  test('returns its account and permissions', async () => {
    const { account, key } = open({ userId: 501 });
    server.introduce(partner, key);
    const may = { mayTrade: true, mayWithdraw: false, restricted: false };
    expect(await account.check()).toEqual({ ...may, accountId: '501', referred: true, expiresAt: null, takerFee: 0.0005 });
    key.permissions = ['read_only', 'withdraw'];
    expect(await account.check()).toMatchObject({ mayTrade: false, mayWithdraw: true });
  });

  test.each([
    ['of another group', rowsChanged(([row]) => [{ ...row, feeGroup: row.feeGroup.slice(0, 1) }]), 0.0006],
    ['without groups', rowsChanged(([{ feeGroup: _, ...row }]) => [{ ...row, takerU: '-0.0007' }]), 0.0007],
    ['that is a rebate', rowsChanged(([row]) => [{ ...row, takerU: '0.0002', feeGroup: [] }]), null],
    ['in percent', rowsChanged(([row]) => [{ ...row, takerU: '-0.05', feeGroup: [] }]), null],
    ['that is missing', rowsChanged(([row]) => [{ ...row, takerU: '', feeGroup: [] }]), null],
    ['in an empty list', rowsChanged(() => []), null],
    ['that is refused', refusedByOkx(50030), null],
  ])('is described all the same with a fee %s', async (_, fault, takerFee) => {
    const { account } = open();
    server.fail('account/trade-fee', fault);
    expect(await account.check()).toMatchObject({ mayTrade: true, takerFee });
  });

  test('of a subaccount counts as referred with its main account, and of a stranger does not', async () => {
    const { account } = open({ userId: 602, parentUid: 601 });
    expect((await account.check()).referred).toBe(false);
    server.introduce(partner, { userId: 601 });
    expect((await account.check()).referred).toBe(true);
  });

  test('is not called unreferred while the check fails', async () => {
    const { account } = open();
    server.fail('affiliate/invitee/detail', instead(500, ''), refusedByOkx(51620));
    expect(await troubleOf(account.check())).toBe('unavailable');
    expect(await troubleOf(account.check())).toBe('unavailable');
  });

  test.each([
    [{ revoked: true }, 'invalid-key 50119'],
    [{ secret: 'another' }, 'invalid-key 50113'],
    [{ passphrase: 'another' }, 'invalid-key 50105'],
    [{ demo: true }, 'invalid-key 50101'],
    [{ ips: ['203.0.113.7'] }, 'address 50110'],
    [{ permissions: ['read_only'] }, 'permission 50120'],
  ])('reports a change to %o', async (change, trouble) => {
    const { key, account } = await ready();
    Object.assign(key, change);
    expect(await troubleOf(account.submit(closing()))).toBe(trouble);
    expect(key.venue.orders).toEqual([]);
  });

  test('of demo trading is sent as one', async () => {
    const demo = createOkx({ ...options(), demo: true });
    expect(demo.paper).toBe(true);
    expect(await open({ demo: true }, demo).account.position()).toBeNull();
  });
});

describe('an account', () => {
  test('is set to one-way mode and a leverage, repeatably', async () => {
    const { venue, account } = open();
    venue.settings.hedge = true;
    expect(await account.standing()).toMatchObject({ isOneWay: false, isIsolated: true });
    await account.prepare(7);
    await account.prepare(7);
    expect(await account.standing()).toMatchObject({ leverage: 7, isOneWay: true, isIsolated: true, position: null, equity: 10_000 });
    expect(callsOf('POST account/set-position-mode')).toHaveLength(1);
  });

  test('without futures mode is refused, because it has no isolated margin', async () => {
    expect(await troubleOf(open({ acctLv: 3 }).account.prepare(10))).toBe('rejected');
  });

  test('returns its position in BTC, with stop and target, and its equity', async () => {
    const { venue, account } = await ready();
    await account.submit(marketOrder());
    price = 61_000;
    await expectPosition({ venue, account });
    venue.settings.marginMode = 'CROSS';
    expect((await account.standing()).isIsolated).toBe(false);
  });

  test('that asks too often waits, up to a maximum', async () => {
    const { account } = await ready();
    server.limits.isOn = true;
    const asked = await Promise.all(Array.from({ length: 12 }, () => troubleOf(account.position())));
    expect(asked.filter((trouble) => trouble === 'none')).toHaveLength(10);
    expect(asked.filter((trouble) => trouble === 'rate-limit')).toHaveLength(2);
  });
});

describe('an order', () => {
  test('is filled, found by its id, and accepted once', async () => {
    const { venue, account } = await ready();
    const given = marketOrder();
    const answer = await account.submit(given);
    expect(answer).toMatchObject({ clientId: given.clientId, state: 'filled', filled: 0.05, quantity: 0.05 });
    expect(answer.fees).toBeGreaterThan(0);
    expect(await account.find(given.clientId)).toEqual(answer);
    expect(await account.find(newOrderId())).toBeUndefined();
    expect(await troubleOf(account.submit(given))).toBe('duplicate 51016');
    expect(venue.orders).toHaveLength(1);
    expect((await account.position())?.stop).toBe(59_000);
  });

  test('rests, is listed and canceled; the owner’s own orders are neither', async () => expectOwnOrders(await ready()));

  test('that nothing filled is forgotten two hours after it is canceled', async () => {
    const { venue, account } = await ready();
    const given = marketOrder();
    venue.fillOnly(0);
    expect((await account.submit(given)).state).toBe('cancelled');
    now += 2 * HOUR;
    expect(await account.find(given.clientId)).toBeUndefined();
  });

  test('that is accepted, executed later, is open until then', async () => {
    const { venue, account } = await ready();
    const given = marketOrder();
    venue.cruelty.orderDelay = SECOND;
    expect((await account.submit(given)).state).toBe('open');
    now += SECOND;
    expect((await account.find(given.clientId))?.state).toBe('filled');
  });

  test.each([
    [refusedByOkx(51008), 'funds 51008'],
    [refusedByOkx(51169), 'rejected 51169'],
    [refusedByOkx(51000), 'rejected 51000'],
    [refusedByOkx(54_321), 'rejected 54321'],
    [refusedByOkx(51155), 'permission 51155'],
    [refusedByOkx(50026), 'unclear 50026'],
    [doneButRefusedByOkx(50004), 'unclear 50004'],
    [neverArrives, 'unclear'],
    [answerLost, 'unclear'],
    [instead(500, ''), 'unclear'],
    [instead(403, 'access denied'), 'rate-limit'],
    [doneBut(200, '<html></html>'), 'unclear'],
  ])('that fails says whether it may have been executed (%#)', async (fault, trouble) => {
    const { account } = await ready();
    server.fail('POST trade/order', fault);
    expect(await troubleOf(account.submit(marketOrder()))).toBe(trouble);
  });

  test('is retried after a rate limit, and corrects a clock difference once', async () => {
    const { account } = await ready();
    server.fail('POST trade/order', refusedByOkx(50011));
    expect((await account.submit(marketOrder())).state).toBe('filled');
    server.fail('POST trade/order', refusedByOkx(50102));
    expect((await account.submit(closing())).state).toBe('filled');
    server.fail('POST trade/order', refusedByOkx(50102), refusedByOkx(50102));
    expect(await troubleOf(account.submit(marketOrder()))).toBe('clock 50102');
  });
});

describe('a position', () => {
  test('that is partly filled comes without a stop, and gets one', async () => {
    const { venue, account } = await ready();
    venue.fillOnly(0.5);
    await account.submit(marketOrder());
    expect(await account.position()).toMatchObject({ quantity: 0.025, stop: null, target: null });
    await account.protect(58_500, 62_000);
    expect(await account.position()).toMatchObject({ stop: 58_500, target: 62_000 });
  });

  test('is protected again; an unchanged setting costs no call', async () => {
    const { venue, account, algos } = await ready();
    await account.submit(marketOrder());
    await account.protect(58_500, null);
    expect(venue.position()).toMatchObject({ stop: 58_500, target: null });
    const calls = server.calls.length;
    await account.protect(58_500, null);
    expect(server.calls.slice(calls).filter(({ path }) => path.startsWith('POST'))).toEqual([]);
    await account.protect(58_600, 64_000);
    expect(venue.position()).toMatchObject({ stop: 58_600, target: 64_000 });
    expect(algos.list()).toMatchObject([{ isWhole: true, stop: 58_600, target: 64_000 }]);
    expect(await troubleOf(account.protect(61_000, null))).toBe('rejected 51280');
    expect(venue.position()?.stop).toBe(58_600);
    server.fail('POST trade/amend-algos', (carryOut) => {
      venue.byHand.removeStop();
      return carryOut();
    });
    await account.protect(58_700, null);
    expect(venue.position()?.stop).toBe(58_700);
  });

  test('has no stop where one covers a part of it', async () => {
    const { venue, account } = await ready();
    await account.submit(marketOrder());
    venue.byHand.order({ direction: 'buy', type: 'market', quantity: 0.01 });
    expect((await account.position())?.stop).toBeNull();
  });

  test('whose first stop shows up late has one in the end', async () => {
    const { account, algos } = await ready();
    await account.submit(marketOrder());
    server.fail(
      'trade/orders-algo-pending',
      rowsChanged(() => []),
    );
    await account.protect(58_500, null);
    expect(algos.list()).toMatchObject([{ isWhole: true, stop: 58_500, target: null }]);
  });

  test('leaves no stop behind that would end the next one', async () => {
    const { venue, account, algos } = await ready();
    await account.submit(marketOrder());
    await account.submit(closing());
    expect(algos.list()).toEqual([]);
    await account.submit(marketOrder());
    venue.byHand.close();
    expect(algos.list()).toHaveLength(1);
    await account.submit(marketOrder({ stop: 58_000 }));
    expect(algos.list()).toMatchObject([{ stop: 58_000 }]);
    expect((await account.position())?.stop).toBe(58_000);
  });

  test('is read from its executions: entry, funding, a partial close by hand, and the stop', async () => {
    const it = await ready();
    await expectExecutions(it, { now: () => now, wait });
    const calls = callsOf('trade/order-algo').length;
    await it.account.fills(T0);
    expect(callsOf('trade/order-algo')).toHaveLength(calls);
  });

  test('that the exchange ends says how: target, liquidation, auto-deleveraging', async () => {
    const ends: string[] = [];
    for (const low of [PRICE, 40_000, PRICE]) {
      const { venue, account } = await ready();
      await account.submit(marketOrder());
      if (low === 40_000) venue.byHand.removeStop();
      if (ends.length === 2) venue.deleverage();
      else venue.advance({ time: now, open: PRICE, high: ends.length === 0 ? 64_000 : PRICE, low, close: PRICE });
      ends.push((await account.fills(T0)).at(-1)?.reason ?? '');
    }
    expect(ends).toEqual(['target', 'liquidation', 'adl']);
  });

  test('is read from weeks ago, page by page, each execution once', async () => {
    const { venue, account } = await ready();
    const since = now;
    tradeForMonth(venue, wait);
    server.fail(
      'trade/fills-history',
      rowsChanged((rows) => [...rows.slice(0, 50), ...rows.slice(0, 50)]),
    );
    await account.fills(since);
    expectMonth(await account.fills(since));
  });
});

describe('the market', () => {
  test('has its terms in BTC', async () => {
    const tiers = [
      { value: Number.POSITIVE_INFINITY, quantity: 15, maintenance: 0.005 },
      { value: Number.POSITIVE_INFINITY, quantity: 50, maintenance: 0.0065 },
    ];
    expect(await okx.terms()).toMatchObject({ quantity: 0.0001, least: 0.0001, price: 0.1, tiers });
  });

  test.each([
    ['an empty list', rowsChanged(() => [])],
    ['a margin of 0', rowsChanged(([lowest, ...rest]) => [{ ...lowest, mmr: '0' }, ...rest])],
    ['a margin that falls while positions grow', rowsChanged(([lowest, next]) => [lowest, { ...next, mmr: '0.004' }])],
    ['a refusal', refusedByOkx(50026, 'System error')],
  ])('has cautious margins after %s, and asks again an hour later', async (_, fault) => {
    server.fail('public/position-tiers', fault);
    await expectCautiousMargins((report) => createOkx({ ...options(), report }), wait);
  });

  test('has every closed candle once, of the history too, despite an outage, a price of 0, a gap and a duplicate', async () => {
    candles = Array.from({ length: 2000 }, (_, index) => risingCandle(index));
    const feed = createOkx(options()).feed;
    const at = (hour: number) => {
      now = T0 + hour * HOUR + 2 * SECOND;
    };
    at(1800);
    expect(await feed.closed(1700)).toEqual(candles.slice(100, 1800));
    const five = async () => (await feed.closed(5)).map(({ time }) => (time - T0) / HOUR);
    at(1804);
    server.fail('market/candles', instead(503, '<html></html>'));
    expect(await troubleOf(feed.closed(5))).toBe('unavailable');
    expect(await five()).toEqual([1799, 1800, 1801, 1802, 1803]);
    at(1806);
    for (const figure of [1, 2, 3, 4]) {
      server.fail(
        'market/candles',
        rowsChanged((rows) => rows.map((row) => row.with(figure, '0'))),
      );
      expect(await troubleOf(feed.closed(5))).toBe('unavailable');
    }
    at(1807);
    server.fail(
      'market/candles',
      rowsChanged((rows) => [...rows, ...rows]),
    );
    expect(await five()).toEqual([1802, 1803, 1804, 1805, 1806]);
    expect(await feed.forming()).toMatchObject({ time: T0 + 1807 * HOUR, open: PRICE + 1806 });
    expect((await feed.candles(DAY, 2)).map(({ time }) => time)).toEqual([T0 + 74 * DAY, T0 + 75 * DAY]);
  });
});

type Account = Awaited<ReturnType<typeof ready>>['account'];
test.each<[string, (account: Account) => Promise<unknown>]>([
  ['POST trade/order', (account) => account.submit(marketOrder({ quantity: 0.001 }))],
  ['trade/order', (account) => account.submit(marketOrder({ quantity: 0.001 }))],
  ['trade/orders-pending', async (account) => (await account.snapshot()).openOrders],
  ['trade/orders-algo-pending', (account) => account.position()],
  ['trade/fills', (account) => account.fills(T0)],
  ['account/bills', (account) => account.fills(T0)],
  ['account/positions', (account) => account.position()],
  ['account/config', (account) => account.check()],
])('a text of 100 kB in the answer of %s is no answer, nor is a list of more than a page', async (path, call) => {
  const { account } = await ready();
  await account.submit(marketOrder());
  await account.submit({ clientId: newOrderId(), direction: 'buy', type: 'limit', quantity: 0.01, price: 50_000 });
  const fail = (fault: Fault) => server.fail(path, fault);
  await expectShortAnswers(fail, () => call(account));
  if (path.includes('trade/order') && !path.includes('pending')) return;
  fail(rowsChanged((rows) => Array.from({ length: 1001 }, () => rows[0] ?? {})));
  expect(await troubleOf(call(account))).toBe('unavailable');
});

test('an account makes only the calls it needs, and never cancels all orders', () => {
  const paths = new Set(server.calls.map(({ path }) => path));
  expect([...paths].filter((path) => /cancel-all|mass-cancel|close-position|batch|withdraw|transfer/.test(path))).toEqual([]);
});
