import { asc, eq, gt } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BotAccess } from '#domain/bots/bot-access.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { createBotOperations } from '#server/bots/api/operator.ts';
import { createBotService } from '#server/bots/api/service.ts';
import { findAffectedBots } from '#server/bots/engine/affected-bots.ts';
import { lead } from '#server/bots/engine/leadership.ts';
import { createKeySafe } from '#server/bots/keys/key-safe.ts';
import { claimBots, LostLease } from '#server/bots/store/bot-lease.ts';
import { recordCycles } from '#server/bots/store/record-cycles.ts';
import { createWatchdog } from '#server/bots/watchdog.ts';
import { botEvents, botOrders, botSignals, bots, botTrades } from '#server/db/schema/bots.ts';
import { notifications } from '#server/db/schema/notifications.ts';
import { paperOrders } from '#server/db/schema/paper.ts';
import { createNotifications } from '#server/modules/notifications/service.ts';
import { type Exchange, type ExchangeAccount, ExchangeError } from '#server/ports/exchange/exchange.ts';
import { NO_GUARDS } from '#server/strategy/guards.ts';
import type { Signal } from '#server/strategy/signal.ts';
import { createRig, plantBots } from '#tests/support/bots/bot-rig.ts';
import { openTestDb, type TestDb } from '#tests/support/server/test-db.ts';

const T0 = Date.UTC(2025, 0, 1);
const PRICE = 100_000;
/** The price reaches a long position's stop in the sixth candle. */
const candles: Candle[] = Array.from({ length: 40 }, (_, index) => {
  const low = index === 30 ? 95_000 : PRICE;
  return { time: T0 + index * HOUR, open: PRICE, high: PRICE, low, close: PRICE, volume: 1 };
});

let kept: TestDb;
beforeAll(async () => {
  kept = await openTestDb();
});
afterAll(() => kept.close());

/** Starts a bot with a signal to go long. `wrap` changes the exchange account. */
async function ready(
  change: (account: ExchangeAccount) => Partial<ExchangeAccount> = () => ({}),
  access: () => BotAccess = () => ({ allowed: true, reason: 'premium' }),
  priceNow?: number,
) {
  const { db } = kept;
  let life = 0;
  const wrap = (exchange: Exchange): Exchange => ({
    ...exchange,
    account: (keys, owner) => {
      const account = exchange.account(keys, owner);
      return { ...account, ...change(account) };
    },
    ...(priceNow !== undefined && {
      feed: { ...exchange.feed, forming: async () => ({ ...(await exchange.feed.forming()), close: priceNow }) },
    }),
  });
  const rig = createRig({ db, candles, start: 24, wrap, clock: () => rig.feed.now() + life, accessOf: async () => access() });
  const [botId = ''] = await plantBots(db, 1, { now: T0 });
  await rig.engine.runBotCycle(botId);
  const candle = candles[23] as Candle;
  const level = { price: PRICE, touches: 3, firstTouch: T0, lastTouch: T0, turned: 'low', strength: 1 } as const;
  const entry = { side: 'long', setup: 'bounce', level, stop: 98_000, target: 106_000 } as const;
  const signal: Signal = { candle, atr: 500, levels: [level], trend: 'flat', entry };
  await db.insert(botSignals).values({ candle: candle.time, signal }).onConflictDoNothing();
  return {
    db,
    rig,
    botId,
    candle: candle.time,
    runCycle: (at?: number) => rig.engine.runBotCycle(botId, at),
    /** Advances the clock past every lease. */
    wait: (ms = MINUTE) => {
      life += ms;
    },
    now: () => rig.feed.now() + life,
    bot: async () => (await db.select().from(bots).where(eq(bots.id, botId)))[0],
    orders: () => db.select().from(botOrders).where(eq(botOrders.botId, botId)).orderBy(asc(botOrders.createdAt)),
    sent: () => db.select().from(paperOrders).where(eq(paperOrders.botId, botId)),
    kinds: async () =>
      (await db.select({ kind: botEvents.kind }).from(botEvents).where(eq(botEvents.botId, botId)).orderBy(asc(botEvents.createdAt))).map(
        ({ kind }) => kind,
      ),
  };
}

/** The API calls of a rig's users. */
const serviceOn = ({ exchange, engine }: ReturnType<typeof createRig>, clock: () => number) =>
  createBotService({
    db: kept.db,
    clock,
    exchange,
    testnet: false,
    safe: createKeySafe('a key for tests that is long enough, and no secret'),
    accessOf: async () => ({ allowed: true, reason: 'premium' }),
    runBotCycle: engine.runBotCycle,
    wake: () => undefined,
  });

const timeOut = () => new ExchangeError('unclear', 'no answer in time');

describe('orders', () => {
  test('an entry has its stop from the first moment and is journaled, and each candle is handled once', async () => {
    const { runCycle, candle, bot, orders, sent, kinds } = await ready();
    await runCycle(candle);
    await runCycle(candle);
    expect((await bot())?.position).toMatchObject({ side: 'long', stop: 98_000, target: 106_000 });
    expect(await orders()).toMatchObject([{ purpose: 'entry', state: 'filled', candle }]);
    expect((await orders())[0]?.clientId).toHaveLength(36);
    expect(await sent()).toHaveLength(1);
    expect(await kinds()).toEqual(['running', 'opened']);
  });

  test('an order whose answer is lost is looked up and not sent twice', async () => {
    const { runCycle, candle, orders, sent } = await ready((account) => ({
      async submit(order) {
        await account.submit(order);
        throw timeOut();
      },
    }));
    await runCycle(candle);
    expect(await orders()).toMatchObject([{ state: 'filled' }]);
    expect(await sent()).toHaveLength(1);
  });

  test('an order that never arrived is resent under its own id while its signal is fresh', async () => {
    let lost = true;
    const { runCycle, candle, wait, orders, sent } = await ready((account) => ({
      async submit(order) {
        if (lost) throw timeOut();
        return account.submit(order);
      },
    }));
    await expect(runCycle(candle)).rejects.toThrow('no answer in time');
    expect(await orders()).toMatchObject([{ state: 'intended' }]);
    lost = false;
    wait();
    await runCycle(candle);
    expect(await orders()).toMatchObject([{ state: 'filled' }]);
    expect(await sent()).toHaveLength(1);
  });

  test('an order that never arrived is given up once its signal is stale', async () => {
    const { runCycle, candle, wait, orders, sent } = await ready(() => ({ submit: () => Promise.reject(timeOut()) }));
    await expect(runCycle(candle)).rejects.toThrow();
    wait();
    await runCycle(candle + HOUR);
    expect(await orders()).toMatchObject([{ state: 'cancelled', reason: 'never sent' }]);
    expect(await sent()).toEqual([]);
  });

  test.each([
    [97_000, 'the price is no longer between stop and target'],
    [105_000, 'the price is too far from the stop'],
  ])('a signal is skipped if the price has moved to %d', async (price, why) => {
    const { db, runCycle, candle, orders, botId } = await ready(undefined, undefined, price);
    await runCycle(candle);
    expect(await orders()).toEqual([]);
    const told = await db.select({ text: botEvents.text }).from(botEvents).where(eq(botEvents.botId, botId));
    expect(told.map(({ text }) => text)).toContain(`Skipped an entry: ${why}.`);
  });

  test('a signal is skipped if its candle closed long ago', async () => {
    const { rig, runCycle, candle, orders, kinds } = await ready();
    await rig.feed.step();
    await rig.feed.step();
    await runCycle(candle);
    expect(await orders()).toEqual([]);
    expect(await kinds()).toEqual(['running', 'passed']);
  });

  test('a refused order is shown to the user and not repeated', async () => {
    const { db, botId, runCycle, candle, orders, kinds } = await ready(() => ({
      submit: () => Promise.reject(new ExchangeError('funds', 'There is too little money.')),
    }));
    await runCycle(candle);
    expect(await orders()).toMatchObject([{ state: 'rejected' }]);
    expect(await kinds()).toEqual(['running', 'refused']);
    const told = await db.select({ text: botEvents.text }).from(botEvents).where(eq(botEvents.botId, botId));
    expect(told.map(({ text }) => text)).toContain('The exchange refused an order: There is too little money.');
  });
});

describe('stops', () => {
  const bare = (account: ExchangeAccount): Partial<ExchangeAccount> => ({
    submit: ({ stop: _stop, target: _target, ...order }) => account.submit(order),
  });

  test('a position without a stop gets one', async () => {
    const { runCycle, candle, bot, kinds } = await ready(bare);
    await runCycle(candle);
    expect((await bot())?.position).toMatchObject({ stop: 98_000 });
    expect(await kinds()).toContain('protected');
  });

  test('a position is closed if no stop can be set', async () => {
    const { runCycle, candle, bot, kinds } = await ready((account) => ({
      ...bare(account),
      protect: () => Promise.reject(new ExchangeError('rejected', 'no')),
    }));
    await runCycle(candle);
    expect((await bot())?.position).toBeNull();
    expect(await kinds()).toEqual(['running', 'unprotected', 'opened', 'closed']);
  });
});

describe('changes made by the exchange', () => {
  test('a triggered stop is detected and the user notified', async () => {
    const { db, rig, runCycle, candle, botId, bot } = await ready();
    await runCycle(candle);
    for (let step = 24; step < 32; step++) await rig.feed.step();
    await runCycle();
    expect((await bot())?.position).toBeNull();
    const [trade] = await db.select().from(botTrades).where(eq(botTrades.botId, botId));
    expect(trade).toMatchObject({ side: 'long', reason: 'stop' });
    expect(trade?.pnl).toBeLessThan(0);
    expect((await bot())?.equity).toBeCloseTo(1000 + (trade?.pnl ?? 0), 6);
    const told = await db
      .select()
      .from(notifications)
      .where(eq(notifications.userId, (await bot())?.userId ?? ''));
    expect(told.map(({ text }) => text)).toEqual([expect.stringContaining('at its stop')]);
  });

  test('a position closed by hand is detected and the user notified', async () => {
    const { db, rig, runCycle, candle, botId, bot } = await ready();
    await runCycle(candle);
    const hand = rig.exchange.account({ key: 'paper-demo-key', secret: 'paper-demo-secret' }, { userId: '', botId, capital: 1000 });
    const quantity = (await hand.snapshot()).position?.quantity ?? 0;
    await hand.submit({ clientId: 'by-hand', direction: 'sell', type: 'market', quantity, reduceOnly: true });
    await runCycle();
    expect((await bot())?.position).toBeNull();
    expect(await db.select().from(botTrades).where(eq(botTrades.botId, botId))).toMatchObject([{ reason: 'by hand' }]);
  });

  test('a refused key stops the bot and leaves its position', async () => {
    let dead = false;
    const { runCycle, candle, wait, bot } = await ready((account) => ({
      fills: (since) => (dead ? Promise.reject(new ExchangeError('invalid-key', 'unknown')) : account.fills(since)),
    }));
    await runCycle(candle);
    dead = true;
    for (let minute = 0; minute <= 10; minute++) {
      expect(await bot()).toMatchObject({ status: 'RUNNING' });
      wait(MINUTE);
      await expect(runCycle()).rejects.toThrow();
    }
    expect(await bot()).toMatchObject({
      status: 'ERROR',
      statusReason: 'The exchange no longer accepts this API key.',
      position: { stop: 98_000 },
    });
  });

  test('a bot in ERROR closes its position when the trend turns, and enters no other', async () => {
    const { db, rig, runCycle, candle, botId, bot, orders } = await ready();
    await runCycle(candle);
    await db.update(bots).set({ status: 'ERROR', statusReason: 'The key was refused.' }).where(eq(bots.id, botId));
    const turned: Signal = { candle: candles[24] as Candle, atr: 500, levels: [], trend: 'down', entry: null };
    await db.insert(botSignals).values({ candle: candle + HOUR, signal: turned });
    expect(await findAffectedBots(db, turned, rig.exchange)).toContain(botId);
    await runCycle(candle + HOUR);
    expect(await bot()).toMatchObject({ status: 'ERROR', position: null });
    expect(await db.select().from(botTrades).where(eq(botTrades.botId, botId))).toMatchObject([{ reason: 'trend' }]);
    expect(await findAffectedBots(db, turned, rig.exchange)).not.toContain(botId);
    const [first] = await db.select().from(botSignals).where(eq(botSignals.candle, candle));
    const again = { ...(first?.signal as Signal), candle: candles[25] as Candle };
    await db.insert(botSignals).values({ candle: candle + 2 * HOUR, signal: again });
    await runCycle(candle + 2 * HOUR);
    expect((await orders()).map(({ purpose }) => purpose)).toEqual(['entry', 'close']);
    await db.delete(botSignals).where(gt(botSignals.candle, candle));
  });

  describe('a key that is replaced during a cycle', () => {
    const replaced = { sealedKeys: Buffer.from('another key'), keyExpiresAt: new Date(T0 + 90 * DAY) };
    let isVisited = false;
    beforeEach(() => {
      isVisited = false;
    });

    test('is not blamed for a refusal of the previous key', async () => {
      const { runCycle, botId, bot, kinds } = await ready((account) => ({
        async position() {
          if (!isVisited) return account.position();
          await kept.db.update(bots).set(replaced).where(eq(bots.id, botId));
          throw new ExchangeError('invalid-key', 'unknown');
        },
      }));
      isVisited = true;
      await expect(runCycle()).rejects.toThrow('unknown');
      expect(await bot()).toMatchObject({ status: 'RUNNING', statusReason: null, leaseOwner: null, ...replaced });
      expect(await kinds()).toEqual(['running']);
    });

    test('keeps its own expiry date, not that of the previous key', async () => {
      const { runCycle, wait, botId, bot } = await ready((account) => ({
        async check() {
          if (isVisited) await kept.db.update(bots).set(replaced).where(eq(bots.id, botId));
          return { ...(await account.check()), expiresAt: T0 + 5 * DAY };
        },
      }));
      isVisited = true;
      wait(2 * DAY);
      await runCycle();
      expect(await bot()).toMatchObject({ status: 'RUNNING', ...replaced });
    });
  });

  test('a key is checked once a day, even while the bot is paused', async () => {
    let checks = 0;
    const { db, runCycle, wait, botId, bot, now } = await ready((account) => ({
      check: async () => ({ ...(await account.check()), expiresAt: T0 + 90 * DAY + checks++ }),
    }));
    await db.update(bots).set({ pausedBy: 'user', pausedReason: 'Paused by you' }).where(eq(bots.id, botId));
    checks = 0;
    wait(2 * DAY);
    await runCycle();
    wait(MINUTE);
    await runCycle();
    expect(checks).toBe(1);
    expect(await bot()).toMatchObject({
      pausedBy: 'user',
      keyCheckedAt: new Date(now() - MINUTE),
      keyExpiresAt: new Date(T0 + 90 * DAY),
    });
  });

  test('the user is warned 14, 7 and 1 days before a key expires', async () => {
    let expiresAt: number | null = null;
    const { runCycle, wait, now, kinds } = await ready((account) => ({ check: async () => ({ ...(await account.check()), expiresAt }) }));
    expiresAt = now() + 15 * DAY;
    for (let day = 0; day < 15; day++) {
      wait(DAY);
      await runCycle();
    }
    expect((await kinds()).filter((kind) => kind === 'key-ends')).toHaveLength(3);
  });
});

describe('stopping', () => {
  test('close: the position is closed at market before the bot counts as stopped', async () => {
    const { db, runCycle, candle, botId, bot } = await ready();
    await runCycle(candle);
    await db.update(bots).set({ status: 'STOPPING', stopMode: 'close' }).where(eq(bots.id, botId));
    await runCycle();
    expect(await bot()).toMatchObject({ status: 'STOPPED', position: null, stopMode: null });
  });

  test('keep: the position keeps its stop, and its close is detected', async () => {
    const { db, rig, runCycle, candle, botId, bot } = await ready();
    await runCycle(candle);
    await db.update(bots).set({ status: 'STOPPING', stopMode: 'keep' }).where(eq(bots.id, botId));
    await runCycle();
    expect(await bot()).toMatchObject({ status: 'STOPPED', position: { stop: 98_000 } });
    for (let step = 24; step < 32; step++) await rig.feed.step();
    await runCycle();
    expect((await bot())?.position).toBeNull();
  });

  test('the user’s own orders in the account are not touched', async () => {
    const { db, rig, runCycle, candle, botId, bot } = await ready();
    await runCycle(candle);
    const hand = rig.exchange.account({ key: 'paper-demo-key', secret: 'paper-demo-secret' }, { userId: '', botId, capital: 1000 });
    await hand.submit({ clientId: 'by-hand', direction: 'buy', type: 'limit', quantity: 0.001, price: 90_000 });
    await db.update(bots).set({ status: 'STOPPING', stopMode: 'close' }).where(eq(bots.id, botId));
    await runCycle();
    expect(await bot()).toMatchObject({ status: 'STOPPED', position: null });
    expect((await hand.snapshot()).openOrders).toMatchObject([{ clientId: 'by-hand', state: 'open' }]);
  });

  test('the bot stays stopping while the exchange does not answer', async () => {
    const { db, runCycle, candle, botId, bot } = await ready((account) => ({
      submit: (order) => (order.reduceOnly ? Promise.reject(new ExchangeError('unavailable', 'down')) : account.submit(order)),
    }));
    await runCycle(candle);
    await db.update(bots).set({ status: 'STOPPING', stopMode: 'close' }).where(eq(bots.id, botId));
    await expect(runCycle()).rejects.toThrow('down');
    expect(await bot()).toMatchObject({ status: 'STOPPING', position: { stop: 98_000 } });
  });
});

test('a late cycle of a stopped bot without a position writes nothing', async () => {
  let meanwhile = async (): Promise<void> => undefined;
  const { db, rig, runCycle, botId, bot, now } = await ready((account) => ({
    async position() {
      await meanwhile();
      return account.position();
    },
  }));
  const service = serviceOn(rig, now);
  const { userId = '' } = (await bot()) ?? {};
  const change = (position_size: string) => db.transaction((tx) => service.update(tx, userId, botId, { position_size }));
  await service.closeBot(userId, botId);
  meanwhile = async () => void (await change('500'));
  await runCycle();
  await change('500');
  expect(await bot()).toMatchObject({ status: 'STOPPED', positionSize: 500, equity: 500, guards: {}, leaseOwner: null });
});

describe('deleting', () => {
  test('does not delete a bot that was restarted after its position was closed', async () => {
    const { db, rig, botId, bot, now } = await ready();
    const service = serviceOn(rig, now);
    const { userId = '' } = (await bot()) ?? {};
    await service.closeBot(userId, botId);
    expect(await bot()).toMatchObject({ status: 'STOPPED', position: null });
    await db.transaction((tx) => service.start(tx, userId, botId));
    const remove = () => db.transaction((tx) => service.remove(tx, userId, botId));
    await expect(remove()).rejects.toThrow('Failed to delete trading bot');
    await service.closeBot(userId, botId);
    await remove();
    expect(await bot()).toBeUndefined();
  });
});

describe('changing the position size', () => {
  test('deposits the difference and keeps earlier losses, in bot, account and equity curve', async () => {
    const { db, rig, runCycle, candle, botId, bot, now } = await ready();
    const service = serviceOn(rig, now);
    await runCycle(candle);
    for (let step = 24; step < 32; step++) await rig.feed.step();
    await runCycle();
    await db.update(bots).set({ status: 'STOPPING', stopMode: 'close' }).where(eq(bots.id, botId));
    await runCycle();
    const { userId = '', equity: left = 0 } = (await bot()) ?? {};
    expect(left).toBeLessThan(1000);

    const change = (position_size: string) => db.transaction((tx) => service.update(tx, userId, botId, { position_size }));
    await expect(change('100')).rejects.toThrow('Set a position size of');
    expect((await change('2000')).equity).toBeCloseTo(left + 1000, 6);
    await db.transaction((tx) => service.start(tx, userId, botId));
    await runCycle();
    const account = rig.exchange.account({ key: 'paper-demo-key', secret: 'paper-demo-secret' }, { userId, botId, capital: 2000 });
    expect((await bot())?.equity).toBeCloseTo(left + 1000, 6);
    expect((await account.snapshot()).equity).toBeCloseTo(left + 1000, 6);
    const { live, equity: curve } = await service.report(userId, botId);
    expect(curve[0]?.equity).toBe(2000);
    expect(live.max_drawdown).toBeCloseTo((1000 - left) / 2000, 6);
  });
});

describe('permission to trade', () => {
  test('a guard that another process tripped blocks entries in this one', async () => {
    const { db, rig, runCycle, candle, botId, bot, orders } = await ready();
    await runCycle();
    const pausedUntil = rig.feed.now() + DAY;
    const guards = { ...NO_GUARDS, streak: 8, pausedUntil, pausedFor: '8 losing trades in a row' };
    await db
      .update(bots)
      .set({ guards: { guards, markedTo: rig.feed.now() } })
      .where(eq(bots.id, botId));
    await runCycle(candle);
    expect(await orders()).toEqual([]);
    expect(await bot()).toMatchObject({ status: 'RUNNING', pausedBy: 'guard', pausedReason: '8 losing trades in a row' });
  });

  test('a bot that has lost what its user allows closes its position and stops, and can start again', async () => {
    const { db, rig, runCycle, candle, botId, bot, now, kinds } = await ready();
    const service = serviceOn(rig, now);
    await runCycle(candle);
    const { equity = 0, userId = '' } = (await bot()) ?? {};
    const highest = equity / 0.69;
    const guards = { guards: { ...NO_GUARDS, peak: equity, highest }, markedTo: rig.feed.now() };
    await db.update(bots).set({ guards, maxDrawdown: 32 }).where(eq(bots.id, botId));
    await runCycle();
    expect(await bot()).toMatchObject({ status: 'RUNNING', position: { stop: 98_000 } });
    await db.update(bots).set({ maxDrawdown: 31 }).where(eq(bots.id, botId));
    await runCycle();
    expect(await bot()).toMatchObject({ status: 'STOPPED', position: null });
    expect((await kinds()).slice(-3)).toEqual(['loss-limit', 'stopped', 'closed']);
    const told = await db.select({ text: notifications.text }).from(notifications).where(eq(notifications.userId, userId));
    expect(told.map(({ text }) => text).join()).toContain('Your limit is 31%, so it closes its position and stops.');
    await db.transaction((tx) => service.start(tx, userId, botId));
    await runCycle();
    await runCycle();
    expect(await bot()).toMatchObject({ status: 'RUNNING' });
  });

  test('a lapsed plan pauses entries, keeps the position and notifies the user', async () => {
    let access: BotAccess = { allowed: true, reason: 'premium' };
    const { runCycle, candle, wait, bot, kinds } = await ready(undefined, () => access);
    await runCycle(candle);
    access = { allowed: false, message: 'No plan' };
    wait(2 * MINUTE);
    await runCycle();
    expect(await bot()).toMatchObject({ status: 'RUNNING', pausedBy: 'access', pausedReason: 'No plan', position: { stop: 98_000 } });
    expect(await kinds()).toEqual(['running', 'opened', 'paused']);
  });

  test('a global halt blocks entries until it ends; a halt of one user closes positions', async () => {
    const { db, runCycle, candle, wait, bot, now, kinds } = await ready();
    const operating = createBotOperations({ db, clock: now, notify: createNotifications({ db, clock: now }).notify });
    const running = await operating.haltAll();
    expect(await operating.haltAll()).toBe(running);
    await runCycle(candle);
    expect((await bot())?.position).toBeNull();
    wait();
    expect(await operating.resume()).toBe(true);
    const told = await db
      .select({ text: notifications.text, link: notifications.link })
      .from(notifications)
      .where(eq(notifications.userId, (await bot())?.userId ?? ''))
      .orderBy(asc(notifications.createdAt));
    expect(told).toEqual([
      {
        text: 'The operator halted your trading bots. They open no new positions, and open positions keep their stops.',
        link: '/trading-bot',
      },
      { text: "The operator's halt is over. Your trading bots can open new positions again.", link: '/trading-bot' },
    ]);
    expect((await kinds()).filter((kind) => kind === 'halted')).toHaveLength(1);

    const second = await ready();
    await second.runCycle(second.candle);
    const userId = (await second.bot())?.userId ?? '';
    expect(await operating.haltUser(userId)).toBe(1);
    await second.runCycle();
    expect(await second.bot()).toMatchObject({ status: 'STOPPED', position: null });
    expect(await operating.resume(userId)).toBe(true);
  });

  test('a bot created for another exchange is not traded, and its user is notified', async () => {
    let asked = 0;
    const { db, runCycle, candle, botId, bot, kinds } = await ready((account) => ({
      position: () => {
        asked++;
        return account.position();
      },
    }));
    await runCycle(candle);
    const before = asked;
    await db.update(bots).set({ exchange: 'bybit' }).where(eq(bots.id, botId));
    await runCycle(candle + HOUR);
    expect(asked).toBe(before);
    const statusReason = 'This bot was made for Bybit, with real money. Bots here trade on the paper exchange.';
    expect(await bot()).toMatchObject({ status: 'ERROR', statusReason, leaseOwner: null, position: { stop: 98_000 } });
    expect((await kinds()).at(-1)).toBe('error');
    const told = await db
      .select({ text: notifications.text })
      .from(notifications)
      .where(eq(notifications.userId, (await bot())?.userId ?? ''));
    expect(told[0]?.text).toBe(`Real money · Tide: ${statusReason} The open position stays at the exchange, with its stop.`);
  });

  test('a process that lost the lease cannot write', async () => {
    const { db, rig, botId, bot, now, wait } = await ready();
    const [first] = await claimBots(db, [botId, botId], 'first', now());
    expect(await claimBots(db, [botId], 'second', now())).toEqual([undefined]);
    wait();
    expect(await claimBots(db, [botId], 'second', now())).toEqual([expect.objectContaining({ id: botId })]);
    const { notify } = createNotifications({ db, clock: now });
    if (!first) throw new Error('the bot could not be claimed');
    const result = { before: first, trades: [], events: [], changes: { equity: 1 } };
    expect(await recordCycles({ db, clock: now, notify, feed: rig.feed }, [result])).toEqual([expect.any(LostLease)]);
    expect((await bot())?.equity).toBe(1000);
  });

  test('a clock that is set back does not block the bots', async () => {
    const own = await openTestDb();
    let ahead = HOUR;
    const rig = createRig({ db: own.db, candles, start: 24, clock: () => rig.feed.now() + ahead });
    const now = () => rig.feed.now() + ahead;
    const [botId = ''] = await plantBots(own.db, 1, { now: T0 });
    await rig.engine.runBotCycle(botId);
    await claimBots(own.db, [botId], 'dead', now());
    await lead(own.db, 'dead', now());
    ahead = 0;
    await rig.engine.start();
    const [bot] = await own.db.select().from(bots).where(eq(bots.id, botId));
    expect(bot).toMatchObject({ status: 'RUNNING', leaseOwner: null, lastExchangeAt: new Date(now()) });
    await rig.engine.stop();
    await own.close();
  });

  test('bots that fail hide no other bot, and stopping bots come first', async () => {
    const own = await openTestDb();
    let life = 0;
    const failing = new Set<string>();
    const rounds: string[][] = [];
    const wrap = (exchange: Exchange): Exchange => ({
      ...exchange,
      account(keys, owner) {
        rounds.at(-1)?.push(owner.botId);
        if (failing.has(owner.botId)) throw new ExchangeError('unavailable', 'down');
        return exchange.account(keys, owner);
      },
    });
    const rig = createRig({ db: own.db, candles, start: 24, wrap, clock: () => rig.feed.now() + life });
    const ids = await plantBots(own.db, 252, { now: T0 });
    const [healthy = '', stopping = '', ...others] = ids;
    for (const id of others) failing.add(id);
    const seen = new Date(rig.feed.now() - 10 * MINUTE);
    await own.db.update(bots).set({ status: 'RUNNING' });
    await own.db.update(bots).set({ lastExchangeAt: seen }).where(eq(bots.id, healthy));
    await own.db.update(bots).set({ status: 'STOPPING', stopMode: 'close', lastExchangeAt: seen }).where(eq(bots.id, stopping));
    for (let round = 0; round < 3; round++) {
      rounds.push([]);
      if (round === 0) await rig.engine.start();
      else await rig.engine.runRound();
      life += 6 * SECOND;
    }
    expect(rounds[0]?.[0]).toBe(stopping);
    expect(rounds.flat()).toContain(healthy);
    rounds.length = 0;
    for (let minute = 0; minute < 10; minute++) {
      life += MINUTE;
      rounds.push([]);
      await rig.engine.runRound();
    }
    const tries = rounds.flat().filter((id) => id === others[0]).length;
    expect(tries).toBeGreaterThan(4);
    expect(tries).toBeLessThanOrEqual(10);
    await rig.engine.stop();
    await own.close();
  });

  test('the watchdog reports once if a bot’s last cycle was long ago', async () => {
    const { db, botId, now, wait, kinds } = await ready();
    const { notify } = createNotifications({ db, clock: now });
    const watchdog = createWatchdog({ db, clock: now, notify, report: (error) => expect(error).toBeUndefined() });
    await watchdog.check();
    expect(await kinds()).toEqual(['running']);
    await db
      .update(bots)
      .set({ lastExchangeAt: new Date(now()) })
      .where(eq(bots.id, botId));
    wait(16 * MINUTE);
    await watchdog.check();
    await watchdog.check();
    expect(await kinds()).toEqual(['running', 'silent']);
  });
});
