import { and, eq, gt } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { LONGEST_HOLD } from '#domain/bots/position-rules.ts';
import { HOUR, MINUTE, SECOND } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { findAffectedBots } from '#server/bots/engine/affected-bots.ts';
import { findDueBots } from '#server/bots/store/due-bots.ts';
import { botEvents, botSignals, bots, botTrades } from '#server/db/schema/bots.ts';
import type { Signal } from '#server/strategy/signal.ts';
import { candles, createReadyBots, keyRefused } from '#tests/support/bots/ready-bots.ts';

const { ready, db } = createReadyBots();

const remindersOf = async (botId: string): Promise<number> =>
  (
    await db()
      .select()
      .from(botEvents)
      .where(and(eq(botEvents.botId, botId), eq(botEvents.kind, 'reminded')))
  ).length;

test('two refusals of a key are not enough for ERROR, however far apart', async () => {
  let isRefused = false;
  const { runCycle, candle, wait, bot } = await ready(keyRefused(() => isRefused));
  await runCycle(candle);
  isRefused = true;
  await expect(runCycle()).rejects.toThrow();
  wait(11 * MINUTE);
  await expect(runCycle()).rejects.toThrow();
  expect(await bot()).toMatchObject({ status: 'RUNNING' });
  wait(MINUTE);
  await expect(runCycle()).rejects.toThrow();
  expect(await bot()).toMatchObject({ status: 'ERROR' });
});

test.each([true, false])('a bot in ERROR reminds its user of its position hourly (exchange answers: %s)', async (answers) => {
  let isRefused = false;
  const { runCycle, candle, wait, botId } = await ready(keyRefused(() => isRefused));
  await runCycle(candle);
  await db().update(bots).set({ status: 'ERROR', statusReason: 'The key was refused.' }).where(eq(bots.id, botId));
  isRefused = !answers;
  const look = () => runCycle().catch(() => undefined);
  await look();
  expect(await remindersOf(botId)).toBe(1);
  wait(HOUR - MINUTE);
  await look();
  expect(await remindersOf(botId)).toBe(1);
  wait(MINUTE);
  await look();
  expect(await remindersOf(botId)).toBe(2);
});

test('a bot in ERROR that holds a position is due every minute, even if its account is watched', async () => {
  const { runCycle, candle, botId, bot } = await ready();
  await runCycle(candle);
  await db().update(bots).set({ status: 'ERROR' }).where(eq(bots.id, botId));
  const seen = (await bot())?.lastExchangeAt?.getTime() ?? 0;
  expect(await findDueBots(db(), seen + MINUTE - SECOND, [botId])).not.toContain(botId);
  expect(await findDueBots(db(), seen + MINUTE + SECOND, [botId])).toContain(botId);
});

test('a bot in ERROR closes its position when its time is over, and not before', async () => {
  let older = 0;
  const { rig, runCycle, candle, botId, bot } = await ready((account) => ({
    fills: async (since) => (await account.fills(since)).map((fill) => ({ ...fill, at: fill.at - older })),
  }));
  await runCycle(candle);
  await db().update(bots).set({ status: 'ERROR', statusReason: 'The key was refused.' }).where(eq(bots.id, botId));
  const signal: Signal = { candle: candles[24] as Candle, atr: 500, levels: [], trend: 'up', entry: null };
  await db()
    .insert(botSignals)
    .values({ candle: candle + HOUR, signal });
  // The candle closes an hour after the position opened.
  older = LONGEST_HOLD - HOUR - 1;
  await runCycle(candle + HOUR);
  expect((await bot())?.position).toMatchObject({ side: 'long' });
  expect(await findAffectedBots(db(), signal, rig.exchange)).not.toContain(botId);
  older++;
  await runCycle();
  await db().update(bots).set({ handledCandle: candle }).where(eq(bots.id, botId));
  expect(await findAffectedBots(db(), signal, rig.exchange)).toContain(botId);
  await runCycle(candle + HOUR);
  expect(await bot()).toMatchObject({ status: 'ERROR', position: null });
  expect(await db().select().from(botTrades).where(eq(botTrades.botId, botId))).toMatchObject([{ reason: 'time' }]);
  await db().delete(botSignals).where(gt(botSignals.candle, candle));
});
