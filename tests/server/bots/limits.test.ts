import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE, SECOND } from '#domain/clock.ts';
import { openDb } from '#server/db/open.ts';
import { botBody, botCaller } from '#tests/support/bots/bots.ts';
import { quietExchange } from '#tests/support/bots/quiet-exchange.ts';
import { type Postgres, startPostgres } from '#tests/support/processes/postgres.ts';
import { sharedEnv } from '#tests/support/server/on-postgres.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';
import { stayWithin } from '#tests/support/stay-within.ts';

let server: TestServer;
let checks = 0;
let now = Date.UTC(2026, 0, 10);

/** The test exchange, with counted key checks. */
const counting: typeof quietExchange = (db) => {
  const exchange = quietExchange(db);
  return {
    ...exchange,
    account(...given) {
      const account = exchange.account(...given);
      return {
        ...account,
        check: () => {
          checks++;
          return account.check();
        },
      };
    },
  };
};

beforeAll(async () => {
  // Without an engine, so that only calls of users are counted.
  server = await startServer({ clock: () => now, exchangeOn: counting, env: { ROLE: 'web' } });
});
afterAll(() => server.close());

const wrong = { api_key: 'paper-wrong-key', secret_key: 'paper-wrong-secret' };

test('one user gets five key checks a minute, over all routes', async () => {
  const [ada, bob] = [botCaller(server, await server.signUp()), botCaller(server, await server.signUp())];
  const made = await ada('POST', '/trading-bots', botBody());
  const id = made.body.data.bot_id;
  const tries = [
    await ada('POST', '/trading-bots', botBody(wrong)),
    await ada('POST', '/trading-bots', { ...botBody(), config: { custom_settings: wrong }, api_key: '', secret_key: '' }),
    await ada('PUT', `/trading-bots/${id}`, wrong),
    await ada('POST', `/trading-bots/${id}/start`),
  ];
  expect(tries.map(({ status }) => status)).not.toContain(429);
  checks = 0;
  const refused = [
    await ada('POST', '/trading-bots', botBody()),
    await ada('PUT', `/trading-bots/${id}`, wrong),
    await ada('POST', `/trading-bots/${id}/start`),
  ];
  for (const { status, body } of refused) {
    expect(status).toBe(429);
    expect(body).toMatchObject({
      code: 'too_many_requests',
      message: 'You can check exchange keys 5 times a minute. Wait a minute and try again.',
    });
  }
  expect(checks).toBe(0);
  // Calls that need no exchange still work, and so do all calls of another user.
  expect((await ada('PUT', `/trading-bots/${id}`, { bot_name: 'Ebb' })).status).toBe(200);
  expect((await ada('POST', `/trading-bots/${id}/stop`, { mode: 'close' })).status).toBe(200);
  expect((await bob('POST', '/trading-bots', botBody())).status).toBe(201);
  now += MINUTE;
  expect((await ada('PUT', `/trading-bots/${id}`, { api_key: 'paper-demo-key', secret_key: 'paper-demo-secret' })).status).toBe(200);
});

test('a request that is refused before the exchange is asked does not count as a key check', async () => {
  const user = botCaller(server, await server.signUp());
  for (let attempt = 0; attempt < 10; attempt++) expect((await user('POST', '/trading-bots', botBody({ api_key: '' }))).status).toBe(400);
  expect((await user('POST', '/trading-bots', botBody())).status).toBe(201);
});

test('concurrent requests do not bypass the limit', async () => {
  const user = botCaller(server, await server.signUp());
  checks = 0;
  const all = await Promise.all(Array.from({ length: 30 }, () => user('POST', '/trading-bots', botBody(wrong))));
  expect(all.filter(({ status }) => status === 429)).toHaveLength(25);
  expect(checks).toBe(5);
});

test('changes and reports are rate-limited, reads are not', async () => {
  const user = botCaller(server, await server.signUp());
  const id = (await user('POST', '/trading-bots', botBody())).body.data.bot_id;
  const changes = await Promise.all(Array.from({ length: 70 }, () => user('POST', `/trading-bots/${id}/pause`)));
  // Creating the bot was one of the 60.
  expect(changes.filter(({ status }) => status === 429)).toHaveLength(11);
  const reports = await Promise.all(Array.from({ length: 250 }, () => user('GET', `/trading-bots/${id}/report`)));
  expect(reports.filter(({ status }) => status === 429)).toHaveLength(10);
  expect((await user('GET', '/trading-bots')).status).toBe(200);
});

test('two processes whose clocks differ by 200 s share one limit', { timeout: 180_000 }, async ({ skip }) => {
  const postgres: Postgres | undefined = await startPostgres();
  if (!postgres) return skip('PostgreSQL is not installed.');
  // Runs the migrations once.
  await (await openDb({ databaseUrl: postgres.url, dataDir: '' })).close();
  const env = { ...sharedEnv(postgres.url), ROLE: 'web' };
  // Near the database's clock, by which the cleanup deletes sessions that have ended.
  const start = (ahead: number) => startServer({ env, exchangeOn: counting, clock: () => Date.now() + ahead });
  const servers = await Promise.all([start(0), start(200 * SECOND)]);
  try {
    const user = await (servers[0] as TestServer).signUp();
    const callers = servers.map((each) => botCaller(each, user));
    // Windows are minutes of the database's clock: this one must not end while the test counts.
    await stayWithin(MINUTE, 15 * SECOND);
    const all = await Promise.all(
      callers.flatMap((call) => Array.from({ length: 5 }, () => call('POST', '/trading-bots', botBody(wrong)))),
    );
    expect(all.filter(({ status }) => status === 429)).toHaveLength(5);
  } finally {
    for (const each of servers) await each.close();
    await postgres.stop();
  }
});
