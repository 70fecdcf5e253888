import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR, MINUTE } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { botSignals, bots } from '#server/db/schema/bots.ts';
import { paperAccounts } from '#server/db/schema/paper.ts';
import { type Exchange, ExchangeError } from '#server/ports/exchange/exchange.ts';
import type { Signal } from '#server/strategy/signal.ts';
import { createRig, plantBots } from '#tests/support/bots/bot-rig.ts';
import { openTestDb, type TestDb } from '#tests/support/server/test-db.ts';

const T0 = Date.UTC(2025, 0, 1);
const PRICE = 100_000;
const candles: Candle[] = Array.from({ length: 40 }, (_, index) => ({
  time: T0 + index * HOUR,
  open: PRICE,
  high: PRICE,
  low: PRICE,
  close: PRICE,
  volume: 1,
}));

let kept: TestDb;
beforeAll(async () => {
  kept = await openTestDb();
});
afterAll(() => kept.close());

/** Creates a bot that holds a position. */
async function holdingBot(change: (exchange: Exchange) => Exchange = (exchange) => exchange) {
  const { db } = kept;
  let life = 0;
  const rig = createRig({ db, candles, start: 24, wrap: change, clock: () => rig.feed.now() + life });
  const [botId = ''] = await plantBots(db, 1, { now: T0 });
  await rig.engine.runBotCycle(botId);
  const candle = candles[23] as Candle;
  const level = { price: PRICE, touches: 3, firstTouch: T0, lastTouch: T0, turned: 'low', strength: 1 } as const;
  const signal: Signal = {
    candle,
    atr: 500,
    levels: [level],
    trend: 'flat',
    entry: { side: 'long', setup: 'bounce', level, stop: 98_000, target: 106_000 },
  };
  await db.insert(botSignals).values({ candle: candle.time, signal }).onConflictDoNothing();
  await rig.engine.runBotCycle(botId, candle.time);
  const row = async () => (await db.select().from(bots).where(eq(bots.id, botId)))[0];
  const { userId = '', position } = (await row()) ?? {};
  expect(position).toMatchObject({ side: 'long' });
  const book = async () => JSON.stringify(await db.select().from(paperAccounts).where(eq(paperAccounts.botId, botId)));
  return { rig, row, book, userId, wait: () => (life += MINUTE) };
}

test('a position is closed at the exchange before anything is deleted', async () => {
  const { rig, row, book, userId } = await holdingBot();
  expect(await book()).toContain('"stop":');
  expect(await rig.closeAllBots(userId)).toEqual({ stopped: 1, out_of_reach: 0 });
  expect(await row()).toMatchObject({ status: 'STOPPED', position: null });
  const account = JSON.parse(await book())[0].book;
  expect(account.position).toBeNull();
  expect(account.orders ?? []).toEqual([]);
});

test('a close that the exchange does not confirm keeps the bot, which keeps closing', async () => {
  let isDown = false;
  const { rig, row, userId, wait } = await holdingBot((exchange) => ({
    ...exchange,
    account: (keys, owner) => {
      const account = exchange.account(keys, owner);
      const submit: typeof account.submit = async (order) => {
        if (isDown) throw new ExchangeError('unavailable', 'the exchange is down');
        return account.submit(order);
      };
      return { ...account, submit };
    },
  }));
  isDown = true;
  await expect(rig.closeAllBots(userId)).rejects.toMatchObject({ status: 502, message: expect.stringContaining('did not confirm') });
  expect(await row()).toMatchObject({ status: 'STOPPING', stopMode: 'close', position: { side: 'long' } });
  isDown = false;
  wait();
  expect(await rig.closeAllBots(userId)).toEqual({ stopped: 1, out_of_reach: 0 });
});

test('a revoked key does not hold up the deletion, and is counted', async () => {
  let isRefused = false;
  const { rig, userId } = await holdingBot((exchange) => ({
    ...exchange,
    account: (keys, owner) => {
      if (isRefused) throw new ExchangeError('invalid-key', 'no such key');
      return exchange.account(keys, owner);
    },
  }));
  isRefused = true;
  expect(await rig.closeAllBots(userId)).toEqual({ stopped: 1, out_of_reach: 1 });
});

test('a bot with a position on another exchange blocks the deletion', async () => {
  const { rig, row, userId } = await holdingBot();
  const { id = '' } = (await row()) ?? {};
  await kept.db.update(bots).set({ exchange: 'bybit' }).where(eq(bots.id, id));
  await expect(rig.closeAllBots(userId)).rejects.toMatchObject({ code: 'elsewhere', message: expect.stringContaining(id) });
});
