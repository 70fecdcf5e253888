import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '#domain/clock.ts';
import { findDueBots } from '#server/bots/store/due-bots.ts';
import { botEvents, bots } from '#server/db/schema/bots.ts';
import { createReadyBots, keyRefused } from '#tests/support/bots/ready-bots.ts';

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
