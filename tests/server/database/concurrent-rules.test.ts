import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { WATCH } from '#contract/market/choices.ts';
import { MAX_WATCHLIST_COINS } from '#contract/market/watchlist.ts';
import { createBotOperations } from '#server/bots/api/operator.ts';
import { alertWatches } from '#server/db/schema/alerts.ts';
import { watchedCoins } from '#server/db/schema/market.ts';
import { createNotifications } from '#server/modules/notifications/service.ts';
import { alertOf, alertsOf } from '#tests/support/alerts/alerts.ts';
import { botBody, botCaller } from '#tests/support/bots/bots.ts';
import { stillMarket } from '#tests/support/market/market.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const [FIRST, SECOND] = [1, 1027];

const WAIT = { timeout: 10_000, interval: 10 };

let server: TestServer;
let admin: pg.Client;

onPostgres(
  async ({ url }) => {
    server = await startServer({ env: sharedEnv(url), market: stillMarket() });
    admin = new pg.Client({ connectionString: url });
    await admin.connect();
  },
  async () => {
    await admin?.end();
    await server?.close();
  },
);

/** Watches a coin, or ends that. Returns the status. */
async function heart({ user, authorization }: SignedUp, cryptoId: number, actionType: number = WATCH.add): Promise<number> {
  const body = { userId: user.id, cryptoId, cryptoSymbol: 'SEEN', cryptoName: 'As seen', actionType };
  return (await server.post('/watchlist', body, { authorization, 'idempotency-key': randomUUID() })).status;
}

/** Returns how many statements wait for a lock. Periodic work of the server may be among them. */
async function waiting(): Promise<number> {
  const { rows } = await admin.query("select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock'");
  return rows[0].count;
}

/** Runs `second` while `first` waits for a lock of a table: until it ends too, or waits for the first one. */
async function during<First, Second>(table: string, first: () => Promise<First>, second: () => Promise<Second>): Promise<[First, Second]> {
  await admin.query(`begin; lock table ${table} in share mode`);
  const held = first();
  await vi.waitFor(async () => expect(await waiting()).toBeGreaterThanOrEqual(1), WAIT);
  let isDone = false;
  const other = second().finally(() => {
    isDone = true;
  });
  await vi.waitFor(async () => expect(isDone || (await waiting()) >= 2).toBe(true), WAIT);
  await admin.query('commit');
  return Promise.all([held, other]);
}

test('two coins that are added at once to the last place of a watchlist do not both get it', async () => {
  const ann = await server.signUp();
  const rows = Array.from({ length: MAX_WATCHLIST_COINS - 1 }, (_, place) => ({ coinId: 100_000 + place, name: 'A', symbol: 'A' }));
  await server.db.insert(watchedCoins).values(rows.map((row) => ({ ...row, userId: ann.user.id })));
  const statuses = await during(
    'watched_coins',
    () => heart(ann, FIRST),
    () => heart(ann, SECOND),
  );
  expect(statuses.sort()).toEqual([200, 400]);
  expect(await server.db.$count(watchedCoins, eq(watchedCoins.userId, ann.user.id))).toBe(MAX_WATCHLIST_COINS);
});

describe('an alert for the whole watchlist watches the coins of the list', () => {
  const watchedBy = async ({ user }: SignedUp) =>
    (await server.db.select({ coinId: alertWatches.coinId }).from(alertWatches).where(eq(alertWatches.userId, user.id))).map(
      ({ coinId }) => coinId,
    );

  test.each([
    ['added', WATCH.add, [FIRST, SECOND]],
    ['removed', WATCH.remove, [FIRST]],
  ])('when a coin is %s while the alert is stored', async (_what, actionType, expected) => {
    const ann = await server.signUp();
    const before = actionType === WATCH.remove ? [FIRST, SECOND] : [FIRST];
    for (const coin of before) expect(await heart(ann, coin)).toBe(200);
    const [alert, status] = await during(
      'alert_prices',
      () => alertsOf(server, ann).put(alertOf({ kind: 'percent', coin: null })),
      () => heart(ann, SECOND, actionType),
    );
    expect([alert.status, status]).toEqual([200, 200]);
    expect((await watchedBy(ann)).sort((one, other) => one - other)).toEqual(expected);
  });
});

test('a halt also stops a bot that its user starts at the same moment', async () => {
  const ann = await server.signUp();
  const call = botCaller(server, ann);
  const path = `/trading-bots/${(await call('POST', '/trading-bots', botBody())).body.data.bot_id}`;
  const isStopped = () => vi.waitFor(async () => expect((await call('GET', path)).body.data.status).toBe('STOPPED'), WAIT);
  await call('POST', `${path}/stop`);
  await isStopped();
  const clock = Date.now;
  const operating = createBotOperations({ db: server.db, clock, ...createNotifications({ db: server.db, clock }) });
  const [started, halted] = await during(
    'bot_events',
    () => call('POST', `${path}/start`),
    () => operating.haltUser(ann.user.id),
  );
  expect([started.status, halted]).toEqual([200, 1]);
  await isStopped();
});
