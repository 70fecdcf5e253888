import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR, MINUTE } from '#domain/clock.ts';
import { createSignals } from '#server/bots/engine/signals.ts';
import { botSignals, bots, botTrades } from '#server/db/schema/bots.ts';
import { createSteppedFeed } from '#server/ports/exchange/paper/stepped-feed.ts';
import { readBundledCandles } from '#server/ports/market-data/bundled.ts';
import { usualFunding } from '#server/strategy/backtest/funding.ts';
import { runBacktest } from '#server/strategy/backtest/run-backtest.ts';
import { PERPETUAL } from '#server/strategy/matching/perpetual.ts';
import { parametersFor } from '#server/strategy/parameters.ts';
import type { Signal } from '#server/strategy/signal.ts';
import { createRig, plantBots } from '#tests/support/bots/bot-rig.ts';
import { openTestDb, type TestDb } from '#tests/support/server/test-db.ts';

/** A range of the bundled candles with many trades, after the strategy's warm-up. */
const START = 6300;
const END = 6620;

let kept: TestDb;
beforeAll(async () => {
  kept = await openTestDb();
});
afterAll(() => kept.close());

test('a signal of another candle length is not traded, and is replaced', async () => {
  const { db } = kept;
  const [candle] = readBundledCandles();
  if (!candle) throw new Error('There are no candles.');
  const signalsOf = (interval: number) => {
    const feed = createSteppedFeed([candle], { interval, start: 1 });
    return createSignals({ db, clock: Date.now, feed, parameters: parametersFor(interval) });
  };
  const signal = (atr: number): Signal => ({ candle, atr, levels: [], trend: 'flat', entry: null });
  await signalsOf(15 * MINUTE).store(signal(1));
  expect(await signalsOf(15 * MINUTE).find(candle.time)).toEqual(signal(1));
  expect(await signalsOf(HOUR).find(candle.time)).toBeUndefined();
  await signalsOf(HOUR).store(signal(2));
  await signalsOf(HOUR).store(signal(3));
  expect(await signalsOf(HOUR).find(candle.time)).toEqual(signal(2));
  expect(await signalsOf(15 * MINUTE).find(candle.time)).toBeUndefined();
  await db.delete(botSignals);
});

test('the engine makes the same trades as the backtest, candle by candle on the paper exchange', async () => {
  const { db } = kept;
  const candles = readBundledCandles().slice(0, END);
  const rig = createRig({ db, candles, start: START });
  const [botId = ''] = await plantBots(db, 1);
  await rig.engine.start();
  for (let step = START; step < END; step++) await rig.feed.step();
  await rig.engine.stop();

  const { trades } = runBacktest(candles, {
    interval: HOUR,
    capital: 1000,
    rules: { ...PERPETUAL, leverage: 15 },
    fundingBetween: usualFunding,
    from: candles[START]?.time ?? 0,
  });
  const made = await db.select().from(botTrades).where(eq(botTrades.botId, botId)).orderBy(asc(botTrades.openedAt));
  const over = made.filter(({ closedAt }) => closedAt !== null);
  expect(trades.length).toBeGreaterThan(3);
  expect(
    over.map(({ side, quantity, entryPrice, exitPrice, reason, openedAt, closedAt }) => ({
      side,
      quantity,
      entryPrice,
      exitPrice,
      reason,
      opened: openedAt.getTime(),
      closed: closedAt?.getTime(),
    })),
  ).toEqual(
    trades.map(({ side, quantity, entry, exit, reason, openedAt, closedAt }) => ({
      side,
      quantity,
      entryPrice: entry,
      exitPrice: exit,
      reason,
      opened: openedAt,
      closed: closedAt,
    })),
  );
  over.forEach(({ pnl, feedOpened, feedClosed }, index) => {
    expect([feedOpened, feedClosed]).toEqual([trades[index]?.openedAt, trades[index]?.closedAt]);
    expect(pnl).toBeCloseTo(trades[index]?.pnl ?? Number.NaN, 6);
  });
  const [bot] = await db.select().from(bots).where(eq(bots.id, botId));
  expect(bot?.status).toBe('RUNNING');
});
