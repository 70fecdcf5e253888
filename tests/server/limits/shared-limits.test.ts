import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { onMeasured } from '#server/metrics/measurements.ts';
import { startPgBouncer } from '#tests/support/processes/pgbouncer.ts';
import type { Postgres } from '#tests/support/processes/postgres.ts';
import { type Redis, startRedis } from '#tests/support/processes/redis.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/processes/tcp-proxy.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

/** Calls in ten minutes of the route that these tests call. */
const LIMIT = 30;
const servers: TestServer[] = [];
const logs = new Map<TestServer, string[]>();
let admin: pg.Client;
let bouncer: Postgres | undefined;
let redis: Redis | undefined;
/** Stand between the first server of a pair and what counts. */
const proxies: TcpProxy[] = [];
let pairs: Record<string, { first: TestServer; second: TestServer; toFirst: TcpProxy } | undefined>;
let address = 0;

async function start(env: Record<string, string>): Promise<TestServer> {
  const lines: string[] = [];
  const logTo = { write: (line: string) => void lines.push(line) };
  const server = await startServer({ env: { TRUST_PROXY: 'on', LOG_LEVEL: 'info', ROLE: 'web', ...env }, logTo });
  servers.push(server);
  logs.set(server, lines);
  return server;
}

/** Starts two servers; the first reaches `port` through a proxy. */
async function pair(port: number, env: (port: number) => Record<string, string>) {
  const toFirst = await startTcpProxy({ port });
  proxies.push(toFirst);
  return { first: await start(env(toFirst.port)), second: await start(env(port)), toFirst };
}

onPostgres(
  async (postgres) => {
    admin = new pg.Client({ connectionString: postgres.url });
    await admin.connect();
    const at = (url: string) => (port: number) => {
      const address = new URL(url);
      address.port = String(port);
      return { ...sharedEnv(address.href), DATABASE_LISTEN_URL: postgres.url };
    };
    bouncer = await startPgBouncer(postgres);
    redis = await startRedis();
    const ofUrl = ({ url }: Postgres) => pair(Number(new URL(url).port), at(url));
    pairs = {
      PostgreSQL: await ofUrl(postgres),
      PgBouncer: bouncer && (await ofUrl(bouncer)),
      Redis: redis && (await pair(redis.port, (port) => ({ ...sharedEnv(postgres.url), REDIS_URL: `redis://127.0.0.1:${port}` }))),
    };
  },
  async () => {
    for (const server of servers) await server.close();
    for (const proxy of proxies) await proxy.close();
    await Promise.all([bouncer?.stop(), redis?.stop(), admin?.end()]);
  },
);

afterEach(async () => void (await Promise.all(proxies.map((proxy) => proxy.heal()))));

const call = (server: TestServer, from: string) =>
  server.post('/auth/resend-verification-code/', { email: 'not an address' }, { 'x-forwarded-for': from });

/** Sends calls one after another until one is refused, `most` at most. Returns how many were not. */
async function allowed(server: TestServer, from: string, most: number): Promise<number> {
  for (let sent = 0; sent < most; sent++) if ((await call(server, from)).status === 429) return sent;
  return most;
}

/** Waits for what one server tells the other, longer after each call: few calls may go by meanwhile, however busy the machine is. */
const hear = (calls: number) => pause(Math.min(50 * 2 ** calls, 3_000));

/** Calls until the server refuses. Returns how many calls it allowed. */
async function allowedUntilItHears(server: TestServer, from: string): Promise<number> {
  for (let sent = 0; sent < LIMIT; sent++) {
    if ((await call(server, from)).status === 429) return sent;
    await hear(sent);
  }
  return LIMIT;
}

/** Calls until the server's answer counts `others` calls of other servers. Returns how many calls that took. */
async function untilKnown(server: TestServer, from: string, others: number): Promise<number> {
  for (let sent = 1; sent <= 8; sent++) {
    const remaining = Number((await call(server, from)).headers.get('x-ratelimit-remaining'));
    if (LIMIT - remaining === others + sent) return sent;
    await hear(sent);
  }
  throw new Error('the server does not know what the other one counted');
}

const nextNetwork = () => `10.7.${++address}.1`;
const linesOf = (server: TestServer, text: string) => (logs.get(server) ?? []).filter((line) => line.includes(text));

describe.each(['PostgreSQL', 'PgBouncer', 'Redis'])('two processes that count with %s', (name) => {
  const pairOf = (skip: (why: string) => never) => pairs[name] ?? skip(`${name} is not installed here`);

  test('allow a network its limit together, and say when it may call again', async ({ skip }) => {
    const { first, second } = pairOf(skip);
    const from = nextNetwork();
    let sum = await allowed(first, from, 15);
    expect(sum).toBe(15);
    sum += await untilKnown(second, from, 15);
    sum += await allowed(second, from, 50);
    expect(sum).toBe(LIMIT);
    const answer = await call(second, from);
    expect(Object.fromEntries(answer.headers)).toMatchObject({ 'x-ratelimit-limit': `${LIMIT}`, 'x-ratelimit-remaining': '0' });
    const [wait, reset] = ['retry-after', 'x-ratelimit-reset'].map((header) => Number(answer.headers.get(header)));
    expect(wait).toBe(reset);
    expect(wait).toBeGreaterThan(500);
    expect(wait).toBeLessThanOrEqual(600);
    expect(await answer.json()).toMatchObject({ status: 429, code: 'too_many_requests' });
    // Until the first one hears of it, it may allow a few calls more, never the 15 that it has left itself.
    expect(await allowedUntilItHears(first, from)).toBeLessThan(10);
    expect((await call(first, nextNetwork())).status).toBe(400);
  });

  test.for([
    ['answers nothing', (to: TcpProxy) => to.freeze()],
    ['refuses connections', (to: TcpProxy) => to.refuse()],
  ] as const)('limit calls alone while it %s, without waiting, and together again after', async ([what, disturb], { skip }) => {
    const { first, second, toFirst } = pairOf(skip);
    const [before, during, from] = [nextNetwork(), nextNetwork(), nextNetwork()];
    const states: boolean[] = [];
    const stop = onMeasured('limits', ({ isShared }) => void states.push(isShared));
    const [lost, back] = ['limits count in this process alone', 'limits count for all processes again'];
    const [lostBefore, backBefore] = [linesOf(first, lost).length, linesOf(first, back).length];
    try {
      await call(first, before);
      await untilKnown(second, before, 1);
      disturb(toFirst);
      expect((await call(first, during)).status).toBe(400);
      if (what === 'answers nothing') expect(states.filter((isShared) => !isShared)).toEqual([]);
      expect(await allowed(first, during, 40)).toBe(LIMIT - 1);
      await vi.waitFor(() => expect(states.at(-1)).toBe(false));
      // Known to be stored nowhere, unlike the calls before: the other process hears of these later.
      expect(await allowed(first, from, 40)).toBe(LIMIT);
      expect(linesOf(first, lost)).toHaveLength(lostBefore + 1);
      await toFirst.heal();
      await vi.waitFor(() => expect(states.at(-1)).toBe(true));
      expect(linesOf(first, lost)).toHaveLength(lostBefore + 1);
      expect(linesOf(first, back)).toHaveLength(backBefore + 1);
      expect(await allowedUntilItHears(second, from)).toBeLessThan(10);
    } finally {
      stop();
    }
  });
});

const rows = async (where: string) => Number((await admin.query(`select count(*) from limit_counts where ${where}`)).rows[0].count);

/** Uses of planted rows: more than any test counts. */
const PLANTED = 777_777;

describe('rows of limits', () => {
  test('are deleted in batches after their window, by index, and not before', async () => {
    const { second } = pairs.PostgreSQL ?? {};
    if (!second) throw new Error('no server');
    await admin.query(
      `insert into limit_counts select gen_random_uuid(), ${PLANTED}, now() - interval '1 day' from generate_series(1, 12000)`,
    );
    await admin.query(
      `insert into limit_counts select gen_random_uuid(), ${PLANTED}, now() + interval '30 minutes' from generate_series(1, 100)`,
    );
    await admin.query('analyze limit_counts');
    await vi.waitFor(
      async () => {
        await call(second, nextNetwork());
        expect(await rows(`ends_at < now() - interval '1 hour'`)).toBe(0);
      },
      { interval: 300 },
    );
    expect(await rows(`used = ${PLANTED}`)).toBe(100);
    const { rows: plan } = await admin.query(
      'explain select id from limit_counts where ends_at < now() order by ends_at limit 5000 for update skip locked',
    );
    expect(JSON.stringify(plan)).toContain('limit_counts_end');
  });

  test('with an end that no window has, such as after a clock was set back, start again', async () => {
    const { second } = pairs.PostgreSQL ?? {};
    if (!second) throw new Error('no server');
    const from = nextNetwork();
    await call(second, from);
    await vi.waitFor(async () => expect(await rows('used = 1')).toBeGreaterThan(0));
    await admin.query(`update limit_counts set used = 1000, ends_at = now() + interval '1 day'`);
    expect(await allowed(second, from, LIMIT - 1)).toBe(LIMIT - 1);
    expect(await rows(`ends_at > now() + interval '2 hours' and used < 1000`)).toBe(0);
  });

  test('are unlogged, so that they cost the database no log', async () => {
    const { rows: found } = await admin.query(`select relpersistence from pg_class where relname = 'limit_counts'`);
    expect(found).toEqual([{ relpersistence: 'u' }]);
  });
});

test('a process that PostgreSQL cuts off counts for all again', async () => {
  const { first, second } = pairs.PostgreSQL ?? {};
  if (!first || !second) throw new Error('no servers');
  const connections = async (): Promise<number[]> => {
    const { rows } = await admin.query("select pid from pg_stat_activity where application_name = 'tidemark limits'");
    return rows.map(({ pid }) => pid);
  };
  const before = await connections();
  await admin.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [before]);
  // Uses that a server sends before it sees the end of its connection are not repeated.
  const again = async () => {
    await Promise.all([call(first, nextNetwork()), call(second, nextNetwork())]);
    expect((await connections()).filter((pid) => !before.includes(pid))).toHaveLength(2);
  };
  await vi.waitFor(again, { interval: 100 });
  const from = nextNetwork();
  expect(await allowed(first, from, 15)).toBe(15);
  await vi.waitFor(async () => expect(await rows('used >= 15')).toBeGreaterThan(0));
  await untilKnown(second, from, 15);
});
