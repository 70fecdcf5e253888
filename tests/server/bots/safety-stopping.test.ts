import { eq, gt } from 'drizzle-orm';
import { afterEach, describe, expect, test } from 'vitest';
import type { StopMode } from '#contract/bots/bot.ts';
import { HOUR } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { findDueBots } from '#server/bots/store/due-bots.ts';
import { botSignals, bots, botTrades } from '#server/db/schema/bots.ts';
import { notifications } from '#server/db/schema/notifications.ts';
import { type ExchangeAccount, ExchangeError } from '#server/ports/exchange/exchange.ts';
import type { Signal } from '#server/strategy/signal.ts';
import { candles, createReadyBots, timeOut } from '#tests/support/bots/ready-bots.ts';

const { ready, serviceOn, db } = createReadyBots();

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

  test('keep: the bot stops only while the stop is set, and later sets none but tells its user', async () => {
    let isBare = false;
    const { db, runCycle, candle, botId, bot, kinds, wait } = await ready((account) => ({
      position: async () => {
        const held = await account.position();
        return held && isBare ? { ...held, stop: null } : held;
      },
      protect: async (stop, target) => {
        isBare = false;
        await account.protect(stop, target);
      },
    }));
    await runCycle(candle);
    await db.update(bots).set({ status: 'STOPPING', stopMode: 'keep' }).where(eq(bots.id, botId));
    isBare = true;
    await runCycle();
    expect(await bot()).toMatchObject({ status: 'STOPPED', position: { stop: 98_000 } });
    isBare = true;
    wait();
    await runCycle();
    await runCycle();
    expect(await bot()).toMatchObject({ status: 'STOPPED', position: { stop: null } });
    expect((await kinds()).slice(-3)).toEqual(['protected', 'stopped', 'bare']);
  });

  test('keep: the bot goes on stopping if the stop disappears while it stops', async () => {
    let looks = 0;
    const { db, runCycle, candle, botId, bot } = await ready((account) => ({
      position: async () => {
        const held = await account.position();
        return held && ++looks === 2 ? { ...held, stop: null } : held;
      },
    }));
    await runCycle(candle);
    await db.update(bots).set({ status: 'STOPPING', stopMode: 'keep' }).where(eq(bots.id, botId));
    looks = 0;
    await runCycle();
    expect(await bot()).toMatchObject({ status: 'STOPPING', position: { stop: null } });
    await runCycle();
    expect(await bot()).toMatchObject({ status: 'STOPPED', position: { stop: 98_000 } });
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

describe('closing on request', () => {
  /** Starts a bot with a position, and its user's commands. `change` changes the exchange account. */
  async function holding(change?: Parameters<typeof ready>[0]) {
    const one = await ready(change);
    const service = serviceOn(one.rig, one.now);
    await one.runCycle(one.candle);
    const { userId = '' } = (await one.bot()) ?? {};
    const command = (name: 'close' | 'pause' | 'resume' | 'start', positionId?: string) =>
      one.db.transaction((tx) => service[name](tx, userId, one.botId, positionId));
    const stop = (mode: StopMode) => one.db.transaction((tx) => service.stop(tx, userId, one.botId, mode));
    const trades = () => one.db.select().from(botTrades).where(eq(botTrades.botId, one.botId));
    return { ...one, command, stop, trades, closes: async () => (await one.orders()).filter(({ purpose }) => purpose === 'close') };
  }

  const plantSignal = async (candle: Candle): Promise<void> => {
    const [first] = await db()
      .select()
      .from(botSignals)
      .where(eq(botSignals.candle, (candles[23] as Candle).time));
    await db()
      .insert(botSignals)
      .values({ candle: candle.time, signal: { ...(first?.signal as Signal), candle } });
  };
  afterEach(() =>
    db()
      .delete(botSignals)
      .where(gt(botSignals.candle, (candles[23] as Candle).time)),
  );

  test('closes the position at market once, goes on, and enters again after the next candle at the earliest', async () => {
    const { db, rig, candle, runCycle, now, wait, command, bot, closes, trades } = await holding();
    const { position } = await command('close');
    expect(await findDueBots(db, now(), 'all')).toContain((await bot())?.id);
    await command('close', position?.id);
    // A candle that closes right after the command, before the position does, is not the next one.
    await rig.feed.step();
    wait(-HOUR);
    await plantSignal(candles[24] as Candle);
    await runCycle(candle + HOUR);
    await runCycle(candle + HOUR);
    expect(await bot()).toMatchObject({ status: 'RUNNING', closing: null, position: null, pausedBy: null });
    expect(await closes()).toMatchObject([{ state: 'filled', reason: 'on request' }]);
    expect(await trades()).toMatchObject([{ reason: 'on request' }]);
    expect(await command('close')).toMatchObject({ closing: false, position: null });
    await rig.feed.step();
    await plantSignal(candles[25] as Candle);
    await runCycle(candle + 2 * HOUR);
    expect(await bot()).toMatchObject({ position: { side: 'long', stop: 98_000 } });
  });

  test('closes no other position than the one that the user saw', async () => {
    const { db, runCycle, command, botId, bot, now } = await holding();
    await expect(command('close', 'an earlier one')).rejects.toThrow('the bot holds another one now');
    await runCycle();
    expect(await bot()).toMatchObject({ closing: null, position: { stop: 98_000 } });
    // The stop closed that one after the command, and the bot entered again.
    const closing = { entryId: 'an earlier one', at: now() };
    await db.update(bots).set({ closing }).where(eq(bots.id, botId));
    await runCycle();
    expect(await bot()).toMatchObject({ closing: null, position: { stop: 98_000 } });
  });

  test('tries for 10 minutes while the exchange does not answer, keeps the stop, and then says that it gave up', async () => {
    const { db, runCycle, command, wait, bot, closes, kinds } = await holding((account) => ({
      submit: (order) => (order.reduceOnly ? Promise.reject(timeOut()) : account.submit(order)),
    }));
    await command('close');
    for (let minute = 0; minute < 10; minute++) {
      await expect(runCycle()).rejects.toThrow('no answer in time');
      expect(await bot()).toMatchObject({ status: 'RUNNING', position: { stop: 98_000 } });
      wait();
    }
    await runCycle();
    await runCycle();
    expect(await bot()).toMatchObject({ status: 'RUNNING', closing: null, position: { stop: 98_000 } });
    expect(await closes()).toMatchObject([{ state: 'cancelled', reason: 'never sent' }]);
    expect((await kinds()).at(-1)).toBe('not-closed');
    const told = await db
      .select()
      .from(notifications)
      .where(eq(notifications.userId, (await bot())?.userId ?? ''));
    expect(told.map(({ text }) => text).join()).toContain('did not confirm within 10 minutes');
  });

  test('closes the position of a bot in ERROR or stopped with it, and changes nothing else', async () => {
    for (const status of ['ERROR', 'STOPPED'] as const) {
      const { db, botId, runCycle, command, bot } = await holding();
      await db.update(bots).set({ status }).where(eq(bots.id, botId));
      await command('close');
      await runCycle();
      expect(await bot()).toMatchObject({ status, closing: null, position: null });
    }
  });

  test('the last of two commands counts', async () => {
    const kept = await holding();
    await kept.command('close');
    await kept.stop('keep');
    await kept.runCycle();
    expect(await kept.bot()).toMatchObject({ status: 'STOPPED', closing: null, position: { stop: 98_000 } });
    const closed = await holding();
    await closed.stop('keep');
    await closed.command('close');
    await closed.runCycle();
    expect(await closed.bot()).toMatchObject({ status: 'STOPPED', position: null });
  });

  test('a command that arrives during a cycle is obeyed before an order is sent', async () => {
    let meanwhile = async (): Promise<unknown> => undefined;
    const visited = (account: ExchangeAccount): Partial<ExchangeAccount> => ({
      async position() {
        const held = await account.position();
        await meanwhile();
        return held;
      },
    });
    const keeping = await holding(visited);
    await keeping.command('close');
    meanwhile = () => keeping.stop('keep');
    expect(await keeping.runCycle()).toBe(false);
    await keeping.runCycle();
    expect(await keeping.bot()).toMatchObject({ status: 'STOPPED', position: { stop: 98_000 }, leaseOwner: null });
    expect(await keeping.closes()).toEqual([]);

    meanwhile = async () => undefined;
    const paused = await ready(visited);
    const service = serviceOn(paused.rig, paused.now);
    const { userId = '' } = (await paused.bot()) ?? {};
    meanwhile = () => paused.db.transaction((tx) => service.pause(tx, userId, paused.botId));
    expect(await paused.runCycle(paused.candle)).toBe(false);
    await paused.runCycle(paused.candle);
    expect(await paused.orders()).toEqual([]);
    meanwhile = async () => undefined;
    await paused.db.transaction((tx) => service.resume(tx, userId, paused.botId));
    await paused.runCycle(paused.candle);
    expect(await paused.orders()).toEqual([]);
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
