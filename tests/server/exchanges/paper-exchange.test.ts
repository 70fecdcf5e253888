import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { createRandom } from '#domain/random.ts';
import { paperAccounts } from '#server/db/schema/paper.ts';
import { type ExchangeAccount, ExchangeError, type NewOrder } from '#server/ports/exchange/exchange.ts';
import { readHistory } from '#server/ports/exchange/paper/history.ts';
import { createTimeline } from '#server/ports/exchange/paper/replay-timeline.ts';
import { createSteppedFeed } from '#server/ports/exchange/paper/stepped-feed.ts';
import type { SimulatedFeed } from '#server/ports/exchange/simulated-feed.ts';
import { openTestDb, paperAccount, plantBot, type TestDb } from '#tests/support/bots/paper-account.ts';

let store: TestDb;
beforeAll(async () => {
  store = await openTestDb();
});
afterAll(() => store.remove());

const at = (index: number) => Date.UTC(2026, 0, 1) + index * HOUR;
const candle = (index: number, open: number, high: number, low: number, close: number): Candle => ({
  time: at(index),
  open,
  high,
  low,
  close,
  volume: 1,
});
/** Constant at 1000, then falls to 950. */
const CALM = [
  candle(0, 1000, 1000, 1000, 1000),
  candle(1, 1000, 1010, 990, 1000),
  candle(2, 1000, 1000, 950, 960),
  candle(3, 960, 970, 955, 960),
];
const stepped = () => createSteppedFeed(CALM, { interval: HOUR, start: 1 });

const order = (facts: Partial<NewOrder> = {}): NewOrder => ({ clientId: 'first', direction: 'buy', type: 'market', quantity: 1, ...facts });
const troubleOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof ExchangeError ? [error.trouble, error.code] : error),
  );

describe('a paper account', () => {
  test('is filled at the first price after the close, places its stop, and loses the stop distance', async () => {
    const feed = stepped();
    const account = paperAccount(store.db, feed, await plantBot(store.db));
    await account.prepare(10);
    expect(await account.snapshot()).toEqual({ equity: 1000, position: null, openOrders: [] });
    const filled = await account.submit(order({ stop: 980, target: 1040 }));
    expect(filled).toMatchObject({ clientId: 'first', state: 'filled', filled: 1, price: 1000.2, fees: 0.5502 });
    expect(await account.find('first')).toEqual(filled);
    expect(await account.find('second')).toBeUndefined();
    expect(await account.snapshot()).toMatchObject({
      position: { side: 'long', entryPrice: 1000.2, stop: 980, target: 1040, leverage: 10, openedAt: at(1) },
    });
    await feed.step();
    expect((await account.snapshot()).equity).toBeCloseTo(1000 - 0.5502 - 0.2, 6);
    await feed.step();
    expect((await account.snapshot()).position).toBeNull();
    const fills = await account.fills(0);
    expect(fills.map(({ reason, clientId, price, at: when }) => [reason, clientId, price, when])).toEqual([
      ['order', 'first', 1000.2, at(1)],
      ['stop', null, 979.8, at(2)],
    ]);
    expect(await account.fills(at(2))).toEqual(fills.slice(1));
    expect(new Set(fills.map(({ id }) => id)).size).toBe(2);
    expect((await account.snapshot()).equity).toBeCloseTo(1000 + fills.reduce((sum, { realised, fee }) => sum + realised - fee, 0), 6);
  });

  test('accepts an order id once, even in two concurrent calls', async () => {
    const feed = stepped();
    const botId = await plantBot(store.db);
    const account = paperAccount(store.db, feed, botId);
    await account.prepare(10);
    const twice = await Promise.all([account, paperAccount(store.db, feed, botId)].map((hand) => troubleOf(hand.submit(order()))));
    expect(twice.filter((trouble) => trouble === undefined)).toHaveLength(1);
    expect(twice).toContainEqual(['duplicate', 110072]);
    expect((await account.snapshot()).position).toMatchObject({ quantity: 1 });
  });

  test('refuses with the codes of a real exchange, and does not change', async () => {
    const account = paperAccount(store.db, stepped(), await plantBot(store.db));
    await account.prepare(10);
    expect(await troubleOf(account.submit(order({ quantity: 50 })))).toEqual(['funds', 110007]);
    expect(await troubleOf(account.submit(order({ quantity: 0.0001 })))).toEqual(['rejected', 10001]);
    expect(await troubleOf(account.submit(order({ reduceOnly: true })))).toEqual(['rejected', 110017]);
    expect(await troubleOf(account.protect(900, null))).toEqual(['rejected', 10001]);
    expect(await account.find('first')).toBeUndefined();
    expect((await account.snapshot()).equity).toBe(1000);
    await account.submit(order());
    expect(await troubleOf(account.prepare(5))).toEqual(['rejected', 10001]);
    expect(await troubleOf(account.protect(1001, null))).toEqual(['rejected', 10001]);
    await account.protect(990, 1010);
    expect((await account.snapshot()).position).toMatchObject({ stop: 990, target: 1010 });
  });

  test('keeps orders until they are filled or canceled', async () => {
    const feed = stepped();
    const account = paperAccount(store.db, feed, await plantBot(store.db));
    await account.prepare(10);
    await account.submit(order({ clientId: 'low', type: 'limit', price: 900 }));
    await account.submit(order({ clientId: 'near', type: 'limit', price: 995 }));
    expect((await account.snapshot()).openOrders.map(({ clientId }) => clientId).sort()).toEqual(['low', 'near']);
    await account.cancel('low');
    await account.cancel('low');
    await account.cancel('never sent');
    await feed.step();
    expect((await account.snapshot()).openOrders).toEqual([]);
    expect(await account.find('low')).toMatchObject({ state: 'cancelled', filled: 0 });
    expect(await account.find('near')).toMatchObject({ state: 'filled', filled: 1, price: 995, fees: 0.199, updatedAt: at(1) });
  });

  test('is separate: two bots of a user never net', async () => {
    const feed = stepped();
    const [one, other] = [paperAccount(store.db, feed, await plantBot(store.db)), paperAccount(store.db, feed, await plantBot(store.db))];
    await one.prepare(10);
    await other.prepare(10);
    await one.submit(order());
    await other.submit(order({ direction: 'sell' }));
    expect((await one.snapshot()).position?.side).toBe('long');
    expect((await other.snapshot()).position?.side).toBe('short');
  });

  test('is funded with the position size; a new size deposits or withdraws the difference and keeps earlier losses', async () => {
    const feed = stepped();
    const botId = await plantBot(store.db);
    const account = paperAccount(store.db, feed, botId, 1000);
    await account.prepare(10);
    await account.submit(order());
    await account.submit(order({ clientId: 'out', direction: 'sell', reduceOnly: true }));
    await account.prepare(10);
    const left = (await account.snapshot()).equity;
    expect(left).toBeLessThan(1000);
    const larger = paperAccount(store.db, feed, botId, 2000);
    await larger.prepare(10);
    expect((await larger.snapshot()).equity).toBeCloseTo(left + 1000, 6);
    await account.prepare(10);
    expect((await account.snapshot()).equity).toBeCloseTo(left, 6);
  });

  test('without a position is not written on read', async () => {
    const feed = stepped();
    const account = paperAccount(store.db, feed, await plantBot(store.db));
    const before = (await store.db.select().from(paperAccounts)).length;
    await feed.step();
    await account.snapshot();
    await account.fills(0);
    expect((await store.db.select().from(paperAccounts)).length).toBe(before);
  });
});

test('distinguishes the demo key, an unreferred key and an unknown key', async () => {
  const feed = stepped();
  const withKeys = (key: string, secret: string) => paperAccount(store.db, feed, 'unknown', 1000, { key, secret });
  expect(await withKeys('paper-demo-key', 'paper-demo-secret').check()).toMatchObject({
    referred: true,
    mayTrade: true,
    mayWithdraw: false,
  });
  expect(await withKeys('paper-unreferred-key', 'paper-unreferred-secret').check()).toMatchObject({ referred: false });
  expect(await troubleOf(withKeys('paper-demo-key', 'paper-unreferred-secret').check())).toEqual(['invalid-key', 10003]);
  expect(await troubleOf(withKeys('paper-demo-key', 'wrong').snapshot())).toEqual(['invalid-key', 10003]);
});

describe('over a replay', () => {
  const history = readHistory();
  const start = Math.ceil((history[0]?.time ?? 0) / HOUR) * HOUR;
  const END = start + 50 * HOUR;

  function replay(): SimulatedFeed & { time: number } {
    const timeline = createTimeline(history, history[0]?.time ?? 0);
    const { priceAt, way } = timeline;
    const feed = { ...createSteppedFeed(CALM, { interval: HOUR, start: 1 }), priceAt, way, time: start, now: () => feed.time };
    return feed;
  }

  /** Places the same orders at the same times. In between, `look` decides how often the account is read. */
  async function play(look: (account: () => ExchangeAccount, to: number, feed: { time: number }) => Promise<void>) {
    const feed = replay();
    const botId = await plantBot(store.db);
    const account = () => paperAccount(store.db, feed, botId, 10_000);
    await account().prepare(15);
    const random = createRandom(11);
    for (let id = 0; feed.time < END; id++) {
      const price = feed.priceAt(feed.time);
      const sign = random() < 0.5 ? 1 : -1;
      const away = (share: number) => Math.round(price * (1 + sign * share) * 10) / 10;
      const limit = random() < 0.4;
      const facts = { stop: away(-0.004), target: away(0.006), ...(limit && { type: 'limit' as const, price: away(-0.001) }) };
      await troubleOf(account().submit(order({ clientId: `order-${id}`, direction: sign > 0 ? 'buy' : 'sell', quantity: 0.1, ...facts })));
      const to = Math.min(feed.time + Math.ceil(random() * 4 * HOUR), END);
      await look(account, to, feed);
      feed.time = to;
    }
    const fills = (await account().fills(0)).map(({ id, ...fill }) => ({ ...fill, place: id.replace(botId, '') }));
    const orders = await Promise.all(Array.from({ length: 20 }, (_, id) => account().find(`order-${id}`)));
    return { fills, orders, equity: (await account().snapshot()).equity };
  }

  test('an account that is not read for years advances day by day, up to the next event', async () => {
    const feed = replay();
    const asked: [number, number][] = [];
    const watched: SimulatedFeed = {
      ...feed,
      now: () => feed.time,
      way(from, to) {
        asked.push([from, to]);
        return feed.way(from, to);
      },
    };
    const account = paperAccount(store.db, watched, await plantBot(store.db), 10_000);
    await account.prepare(3);
    const price = feed.priceAt(start);
    await account.submit(order({ quantity: 0.1, stop: Math.round(price * 8.5) / 10, target: Math.round(price * 11.5) / 10 }));
    feed.time = start + 4000 * DAY;
    expect((await account.snapshot()).position).toBeNull();
    const [end] = (await account.fills(0)).slice(-1);
    expect(Math.max(...asked.map(([from, to]) => to - from))).toBeLessThanOrEqual(DAY);
    expect(Math.max(...asked.map(([, to]) => to))).toBeLessThanOrEqual((end?.at ?? 0) + DAY);
    expect(end?.at).toBeGreaterThan(start + DAY);
  });

  test('the same orders give the same result, whether read never, at random times, or by new processes', async () => {
    const never = await play(async () => undefined);
    const random = createRandom(5);
    const often = await play(async (account, to, feed) => {
      while (feed.time < to) {
        feed.time = Math.min(feed.time + Math.ceil((random() * HOUR) / 2), to);
        await account().snapshot();
      }
    });
    const reopened = await play(async (account, to, feed) => {
      feed.time += Math.floor((to - feed.time) / 2);
      await account().snapshot();
      if (random() < 0.2) await store.reopen();
    });
    expect(often).toEqual(never);
    expect(reopened).toEqual(never);
    const reasons = new Set(never.fills.map(({ reason }) => reason));
    expect(reasons).toEqual(new Set(['order', 'stop', 'target', 'funding']));
  });
});
