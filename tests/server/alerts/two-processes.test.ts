import { expect, test, vi } from 'vitest';
import { checkAlerts } from '#server/modules/alerts/check/check-alerts.ts';
import { momentOf } from '#server/modules/alerts/check/moments.ts';
import { createNotifications } from '#server/modules/notifications/service.ts';
import { alertsOf } from '#tests/support/alerts/alerts.ts';
import { movingMarket } from '#tests/support/market/moving-market.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { connect, next } from '#tests/support/server/realtime.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

/** The market that both processes see. */
const market = movingMarket();
const NO_CHANGES = { '1h': null, '24h': null, '7d': null };
const servers: TestServer[] = [];
let url: string;

async function start(): Promise<TestServer> {
  const server = await startServer({ market, env: { ...sharedEnv(url), MARKET_TICK_MS: '100' } });
  servers.push(server);
  return server;
}

onPostgres(
  async (postgres) => {
    url = postgres.url;
    market.move({ 1: 90, 2: 90 });
    await start();
    await start();
  },
  async () => {
    for (const server of servers) await server.close();
  },
);

test('one of two processes checks, and the other one goes on when it ends; each crossing fires once and is heard everywhere', async () => {
  const [here, there] = servers as [TestServer, TestServer];
  const user = await here.signUp();
  const ann = alertsOf(there, user);
  const sockets = [await connect(here.url, user.tokens.accessToken), await connect(there.url, user.tokens.accessToken)];
  for (let round = 0; round < 5; round++) await ann.add({ price: 100 + round, note: `${round}` }, { seen: 90 });
  const told = Promise.all(sockets.map((socket) => next(socket, 'notification')));
  market.move({ 1: 100 });
  for (const { notification_text } of await told) expect(notification_text).toContain('$100.00');
  for (const socket of sockets) socket.disconnect();
  market.move({ 1: 101 });
  await vi.waitFor(async () => expect(await ann.history()).toHaveLength(2));

  await here.close();
  servers.shift();
  market.move({ 1: 103 });
  await vi.waitFor(async () => expect(await ann.history()).toHaveLength(4));
  expect(new Set((await ann.history()).map(({ note }) => note)).size).toBe(4);
  expect(await ann.notifications()).toHaveLength(4);
});

test('processes that check the same update at the same moment fire each crossing once', async () => {
  const [there] = servers as [TestServer];
  const ann = alertsOf(there, await there.signUp());
  const ids = await Promise.all(Array.from({ length: 30 }, async () => (await ann.add({ coinId: 2, rearms: true }, { seen: 90 })).id));
  const to = Date.now();
  const moment = momentOf({ coin: { name: 'Coin 2', symbol: 'C2' }, at: to, source: 'Test', price: 101, changes: NO_CHANGES }, to - 1);
  const { notifyAll } = createNotifications({ db: there.db, clock: Date.now });
  const parts = { db: there.db, clock: Date.now, notifyAll, report: () => undefined };
  await Promise.all(Array.from({ length: 4 }, () => checkAlerts(parts, new Map([[2, [moment]]]))));
  expect((await ann.history()).map(({ alert_id }) => alert_id).toSorted()).toEqual(ids.toSorted());
  expect(await ann.notifications()).toHaveLength(30);
});
