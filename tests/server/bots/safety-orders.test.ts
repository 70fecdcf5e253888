import { eq, gt } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { findAffectedBots } from '#server/bots/engine/affected-bots.ts';
import { botEvents, botSignals, bots, botTrades } from '#server/db/schema/bots.ts';
import { notifications } from '#server/db/schema/notifications.ts';
import { type ExchangeAccount, ExchangeError } from '#server/ports/exchange/exchange.ts';
import type { Signal } from '#server/strategy/signal.ts';
import { candles, createReadyBots, keyRefused, T0, timeOut } from '#tests/support/bots/ready-bots.ts';

const { ready, serviceOn, db } = createReadyBots();

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

  test('a second job for a handled candle asks the exchange nothing', async () => {
    const asked: string[] = [];
    const { rig, botId, runCycle, candle, bot } = await ready((account) => ({
      position: () => {
        asked.push('position');
        return account.position();
      },
    }));
    await runCycle(candle);
    asked.length = 0;
    expect(await rig.engine.runBotCycle(botId, candle, true)).toBe(true);
    expect(asked).toEqual([]);
    expect((await bot())?.leaseOwner).toBeNull();
    await runCycle(candle);
    expect(asked).toEqual(['position']);
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

  test('a signal is skipped if the account has another position by the time of the order', async () => {
    const position = { side: 'short', quantity: 0.1, entryPrice: 100_000, markPrice: 100_000, stop: null, target: null } as const;
    const held = { ...position, liquidationPrice: 190_000, leverage: 10, unrealised: 0, openedAt: 0 };
    const { db, runCycle, candle, orders, botId } = await ready((account) => ({
      standing: async () => ({ ...(await account.standing()), position: held }),
    }));
    await runCycle(candle);
    expect(await orders()).toEqual([]);
    const told = await db.select({ text: botEvents.text }).from(botEvents).where(eq(botEvents.botId, botId));
    expect(told.map(({ text }) => text)).toContain('Skipped an entry: the account already has a position.');
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
    const { runCycle, candle, wait, bot } = await ready(keyRefused(() => dead));
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
          await db().update(bots).set(replaced).where(eq(bots.id, botId));
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
          if (isVisited) await db().update(bots).set(replaced).where(eq(bots.id, botId));
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

describe('the report says of a candle with an entry', () => {
  type Ready = Awaited<ReturnType<typeof ready>>;
  const decisionOf = async ({ rig, now, bot, botId }: Ready) => {
    const { decisions = [] } = await serviceOn(rig, now).report((await bot())?.userId ?? '', botId);
    return decisions.map(({ kind, text }) => `${kind}: ${text}`);
  };
  const set = (changes: Partial<typeof bots.$inferInsert>) => (one: Ready) =>
    one.db.update(bots).set(changes).where(eq(bots.id, one.botId));
  const poor = (account: ExchangeAccount) => ({ standing: async () => ({ ...(await account.standing()), equity: 1 }) });
  const broke = () => ({ submit: () => Promise.reject(new ExchangeError('funds', 'There is too little money.')) });

  test.each<[string, Parameters<typeof ready>, ((one: Ready) => PromiseLike<unknown>) | null]>([
    ['entered: The bot opened a long position.', [], null],
    ['skipped: Skipped an entry: paused by you.', [], set({ pausedBy: 'user', pausedReason: 'Paused by you' })],
    ['skipped: Skipped an entry: no plan.', [undefined, () => ({ allowed: false, message: 'No plan' })], null],
    ['skipped: Skipped an entry: the price is too far from the stop.', [undefined, undefined, 105_000], null],
    ['skipped: Skipped an entry: the bot is in ERROR.', [], set({ status: 'ERROR' })],
    ['skipped: Skipped an entry: the account holds 1.00 USD', [poor], null],
    ['skipped: The exchange refused an order: There is too little money.', [broke], null],
  ])('%s', async (text, how, change) => {
    const one = await ready(...how);
    await change?.(one);
    await one.runCycle(one.candle);
    expect(await decisionOf(one)).toEqual([expect.stringContaining(text)]);
  });

  test('that a stopped bot did not trade, and what a later candle lacked', async () => {
    const one = await ready();
    const service = serviceOn(one.rig, one.now);
    one.wait();
    await service.closeBot((await one.bot())?.userId ?? '', one.botId);
    const noEntry = { rule: 'away', side: 'long', level: 100_000, distance: 250 } as const;
    const signal: Signal = { candle: candles[24] as Candle, atr: 500, levels: [], trend: 'up', entry: null, noEntry };
    await one.db.insert(botSignals).values({ candle: one.candle + HOUR, signal });
    expect(await decisionOf(one)).toEqual([
      'away: The price stayed $250.00 too far above the level at $100,000.00.',
      'off: The bot was stopped.',
    ]);
    await one.db.delete(botSignals).where(gt(botSignals.candle, one.candle));
  });
});
