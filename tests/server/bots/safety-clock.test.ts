import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import type { BotAccess } from '#domain/bots/bot-access.ts';
import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import { findDueBots } from '#server/bots/store/due-bots.ts';
import { botOrders, bots } from '#server/db/schema/bots.ts';
import type { ExchangeAccount } from '#server/ports/exchange/exchange.ts';
import { createRig, plantBots } from '#tests/support/bots/bot-rig.ts';
import { candles, createReadyBots, keyRefused, T0 } from '#tests/support/bots/ready-bots.ts';
import { openTestDb } from '#tests/support/server/test-db.ts';

const { ready, db } = createReadyBots();

/** An exchange that accepts an order and forgets it. */
const forgetting = (): Partial<ExchangeAccount> => ({
  submit: async ({ clientId, direction, type, quantity }) => ({
    ...{ clientId, exchangeId: 'lost', direction, type, quantity },
    ...{ state: 'open', filled: 0, price: null, fees: 0, updatedAt: 0 },
  }),
  find: async () => undefined,
});

test('an accepted order counts as forgotten after 10 minutes, and not before', async () => {
  const { runCycle, candle, wait, orders, kinds } = await ready(forgetting);
  await runCycle(candle);
  wait(10 * MINUTE - 1);
  await runCycle();
  expect(await orders()).toMatchObject([{ state: 'accepted' }]);
  wait(1);
  await runCycle();
  expect(await orders()).toMatchObject([{ state: 'cancelled', reason: 'forgotten by the exchange' }]);
  expect(await kinds()).toEqual(['running', 'forgotten']);
});

describe('a clock that is set back does not delay', () => {
  test('the end of a forgotten order, and its look-up', async () => {
    const { runCycle, candle, wait, botId, bot, orders, now } = await ready(forgetting);
    await runCycle(candle);
    wait(-DAY);
    await db().update(bots).set({ status: 'STOPPED', lastExchangeAt: null }).where(eq(bots.id, botId));
    expect(await bot()).toMatchObject({ position: null });
    expect(await findDueBots(db(), now())).toContain(botId);
    await runCycle();
    expect(await orders()).toMatchObject([{ state: 'cancelled' }]);
    await db()
      .update(botOrders)
      .set({ state: 'accepted', updatedAt: new Date(now()) })
      .where(eq(botOrders.botId, botId));
    expect(await findDueBots(db(), now())).not.toContain(botId);
  });

  test('the hourly reminder', async () => {
    const { runCycle, candle, wait, botId, kinds } = await ready();
    const reminders = async () => (await kinds()).filter((kind) => kind === 'reminded').length;
    await runCycle(candle);
    await db().update(bots).set({ status: 'ERROR' }).where(eq(bots.id, botId));
    await runCycle();
    wait(-DAY);
    await runCycle();
    await runCycle();
    expect(await reminders()).toBe(2);
    wait(HOUR);
    await runCycle();
    expect(await reminders()).toBe(3);
  });

  test('the daily check of the key', async () => {
    let checks = 0;
    const { runCycle, wait } = await ready((account) => ({
      check() {
        checks++;
        return account.check();
      },
    }));
    checks = 0;
    wait(-2 * DAY);
    await runCycle();
    await runCycle();
    expect(checks).toBe(1);
  });

  test('the error of a key that the exchange refuses', async () => {
    let isRefused = false;
    const { runCycle, candle, wait, bot } = await ready(keyRefused(() => isRefused));
    await runCycle(candle);
    isRefused = true;
    const look = () => runCycle().catch(() => undefined);
    await look();
    wait(-DAY);
    await look();
    await look();
    expect(await bot()).toMatchObject({ status: 'RUNNING' });
    wait(10 * MINUTE);
    await look();
    expect(await bot()).toMatchObject({ status: 'ERROR' });
  });

  test('the end of a plan', async () => {
    let access: BotAccess = { allowed: true, reason: 'premium' };
    const { runCycle, wait, bot } = await ready(undefined, () => access);
    await runCycle();
    access = { allowed: false, message: 'No plan' };
    wait(-DAY);
    await runCycle();
    expect(await bot()).toMatchObject({ pausedBy: 'access' });
  });

  test('the looks at a bot', async () => {
    // The test runs the rounds itself.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const own = await openTestDb();
    let life = 0;
    const rig = createRig({ db: own.db, candles, start: 24, clock: () => rig.feed.now() + life });
    await plantBots(own.db, 1, { now: T0 });
    await rig.engine.start();
    const seenAt = async () => (await own.db.select().from(bots))[0]?.lastExchangeAt?.getTime();
    for (const minutes of [6, 12, 6, 0]) {
      life = minutes * MINUTE;
      await rig.engine.runRound();
      expect(await seenAt()).toBe(rig.feed.now() + life);
    }
    await rig.engine.stop();
    await own.close();
    vi.useRealTimers();
  });
});
