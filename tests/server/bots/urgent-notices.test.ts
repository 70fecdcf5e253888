import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { MINUTE } from '#domain/clock.ts';
import { bots } from '#server/db/schema/bots.ts';
import { deliveries, notificationSettings } from '#server/db/schema/deliveries.ts';
import { createDeliveries } from '#server/modules/notifications/deliveries/service.ts';
import { createNotifications } from '#server/modules/notifications/service.ts';
import { createEmailChannel } from '#server/ports/channels/email.ts';
import { type ExchangeAccount, ExchangeError, type ExchangeFill } from '#server/ports/exchange/exchange.ts';
import { createReadyBots } from '#tests/support/bots/ready-bots.ts';
import { collectingMail } from '#tests/support/notifications/collecting-mail.ts';

const { ready } = createReadyBots();

/** Refuses every stop, also that of an entry. */
const bare = (account: ExchangeAccount): Partial<ExchangeAccount> => ({
  submit: ({ stop: _stop, target: _target, ...order }) => account.submit(order),
  protect: () => Promise.reject(new ExchangeError('rejected', 'no')),
});

/** Reports the exchange's stop as a liquidation. */
const liquidating = (account: ExchangeAccount): Partial<ExchangeAccount> => ({
  fills: async (since) =>
    (await account.fills(since)).map((fill): ExchangeFill => (fill.reason === 'stop' ? { ...fill, reason: 'liquidation' } : fill)),
});

/** Starts a bot whose user has quiet hours at all times but the next minute of tomorrow. Returns what mails what is due. */
async function quiet(change: (account: ExchangeAccount) => Partial<ExchangeAccount>) {
  const one = await ready(change);
  const { db, botId, now } = one;
  const [bot] = await db.select().from(bots).where(eq(bots.id, botId));
  const userId = bot?.userId ?? '';
  const minute = Math.floor(now() / MINUTE) % (24 * 60);
  await db.insert(notificationSettings).values({ userId, choices: {}, quietFrom: minute, quietTo: (minute + 24 * 60 - 1) % (24 * 60) });
  const mail = collectingMail();
  async function send(): Promise<string[]> {
    const channels = [createEmailChannel({ db, mail, publicUrl: 'http://localhost' })];
    const notifications = createNotifications({ db, clock: now });
    const sender = createDeliveries({ db, clock: now, notifications, channels, report: (error) => console.error(error) });
    await sender.start();
    await sender.settled();
    await sender.close();
    return mail.sent.map(({ text }) => text);
  }
  const rows = () => db.select().from(deliveries).where(eq(deliveries.userId, userId));
  return { ...one, send, rows };
}

test.each<[string, (account: ExchangeAccount) => Partial<ExchangeAccount>, number, string]>([
  ['whose stop was lost', bare, 0, 'accepted no stop'],
  ['that was liquidated', liquidating, 12, 'liquidation'],
])('a position %s is mailed two minutes later if nothing shows it, also in quiet hours', async (_what, change, hours, words) => {
  const { rig, runCycle, candle, rows, send, wait } = await quiet(change);
  await runCycle(candle);
  const urgentRows = async () => (await rows()).filter((row) => row.urgent);
  for (let hour = 0; hour < hours && (await urgentRows()).length === 0; hour++) {
    await rig.feed.step();
    await runCycle();
  }
  expect(await urgentRows()).toMatchObject([{ channel: 'email', ifUnseen: true, held: false, state: 'waiting' }]);
  expect(await send()).toEqual([]);
  wait(2 * MINUTE);
  expect(await send()).toEqual([expect.stringContaining(words)]);
  wait(60 * MINUTE);
  expect(await send()).toHaveLength(1);
});

test('and is not mailed if a device has shown it', async () => {
  const { db, runCycle, candle, rows, send, wait } = await quiet(bare);
  await runCycle(candle);
  const [row] = await rows();
  await db
    .update(deliveries)
    .set({ shownAt: new Date() })
    .where(eq(deliveries.id, row?.id ?? ''));
  wait(2 * MINUTE);
  expect(await send()).toEqual([]);
  expect((await rows())[0]).toMatchObject({ state: 'unneeded' });
});
