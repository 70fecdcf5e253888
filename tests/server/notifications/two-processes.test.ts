import { expect, test, vi } from 'vitest';
import { HOUR } from '#domain/clock.ts';
import { deliveries } from '#server/db/schema/deliveries.ts';
import { createNotifications } from '#server/modules/notifications/service.ts';
import { collectingMail } from '#tests/support/notifications/collecting-mail.ts';
import { preferencesOf } from '#tests/support/notifications/preferences.ts';
import { type Receiver, startReceiver } from '#tests/support/notifications/receiver.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const servers: TestServer[] = [];
let receiver: Receiver;

onPostgres(
  async (postgres) => {
    receiver = await startReceiver();
    const env = { ...sharedEnv(postgres.url), PRIVATE_TARGETS: receiver.url };
    // The second one's clock is five hours late, and the third one's is ahead.
    for (const ahead of [0, -5 * HOUR, 5 * HOUR])
      servers.push(await startServer({ env, mail: collectingMail(), deliveryPoll: 10, clock: () => Date.now() + ahead }));
  },
  async () => {
    for (const server of servers) await server.close();
    await receiver.close();
  },
);

test('three processes with different clocks send each notification once, and none late', async () => {
  const [first, late] = servers as [TestServer, TestServer];
  const users = await Promise.all(Array.from({ length: 6 }, () => first.signUp()));
  for (const user of users) await preferencesOf(first, user).setWebhook(receiver.url);
  // A process with a wrong clock stores them, and all three find them.
  const { notify } = createNotifications({ db: late.db, clock: () => Date.now() - 5 * HOUR, countClock: 'database' });
  for (let round = 0; round < 10; round++)
    for (const { user } of users) await late.db.transaction((tx) => notify(tx, user.id, { kind: 'alert', text: `Round ${round}` }));
  const sent = async () =>
    (await late.db.select().from(deliveries)).filter(({ channel, state }) => channel === 'webhook' && state === 'sent');
  await vi.waitFor(async () => expect(await sent()).toHaveLength(60), 45_000);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(60);
  expect(ids).toHaveLength(60);
});
