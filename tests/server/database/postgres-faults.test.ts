import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { scriptedAnalyst } from '#tests/support/chat/scripted-analyst.ts';
import { createGate } from '#tests/support/create-gate.ts';
import type { PostgresServer } from '#tests/support/processes/postgres.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/processes/tcp-proxy.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { connect, next, questionOf, send } from '#tests/support/server/realtime.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

let postgres: PostgresServer;
let proxy: TcpProxy;
let server: TestServer;
let ada: SignedUp;
const analyst = scriptedAnalyst();
const METRICS_TOKEN = 'a token of Prometheus, and no secret';

onPostgres(
  async (started) => {
    postgres = started;
    vi.spyOn(console, 'error').mockImplementation(() => undefined); // the job queue reports each failure
    const direct = new URL(postgres.url);
    proxy = await startTcpProxy({ port: Number(direct.port) });
    direct.port = String(proxy.port);
    const env = { ...sharedEnv(direct.href), DATABASE_TIMEOUT: '4', DATABASE_POOL: '7', METRICS_TOKEN };
    server = await startServer({ env, analyst });
    ada = await server.signUp();
  },
  async () => {
    await server?.close();
    await proxy?.close();
  },
);

const scrape = (authorization = '') => fetch(`${server.url}/metrics`, { headers: { authorization } });

const profile = (): string => `${server.url}/api/auth/user/${ada.user.id}/`;

/** Reads the profile, which no cache answers. */
async function read(): Promise<Response> {
  const response = await fetch(profile(), { headers: { authorization: ada.authorization } });
  await response.arrayBuffer();
  return response;
}

/** Reads the profile many times at once, over and over, until `disturb` is done. Returns the statuses. */
async function readDuring(disturb: () => Promise<void>): Promise<Set<number>> {
  const statuses = new Set<number>();
  let isOver = false;
  const reader = async () => {
    while (!isOver) statuses.add((await read()).status);
  };
  const readers = Array.from({ length: 20 }, reader);
  await disturb().finally(() => {
    isOver = true;
  });
  await Promise.all(readers);
  return statuses;
}

const readiness = async (): Promise<unknown> => (await fetch(`${server.url}/readyz`)).json();

const works = () => vi.waitFor(async () => expect((await read()).status).toBe(200), { timeout: 30_000, interval: 50 });

test('connections that break in use cost requests a 503 at most', async () => {
  const statuses = await readDuring(async () => {
    for (let times = 0; times < 5; times++) {
      await works();
      proxy.cut();
    }
  });
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  await works();
});

test('so do connections that the operator ends', async () => {
  const admin = new pg.Client({ connectionString: postgres.url });
  await admin.connect();
  const statuses = await readDuring(async () => {
    for (let times = 0; times < 5; times++) {
      await works();
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null');
    }
  });
  await admin.end();
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  await works();
});

test('so does PostgreSQL that restarts at once', async () => {
  const statuses = await readDuring(async () => {
    for (let times = 0; times < 3; times++) {
      await works();
      await postgres.crash();
      await postgres.start();
    }
  });
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  await works();
});

describe('requests during a moment', () => {
  /** Sends requests that need a connection, and ends the moment a little later. Returns their statuses. */
  async function readThrough(end: () => Promise<unknown>): Promise<Set<number>> {
    await vi.waitFor(async () => expect(await connections()).toBe(0));
    const reads = Promise.all(Array.from({ length: 20 }, async () => (await read()).status));
    await Promise.race([reads, pause(200)]);
    await end();
    return new Set(await reads);
  }

  /** Counts the server's connections. */
  async function connections(): Promise<number> {
    const { rows } = await admin.query(
      `select count(*)::int as n from pg_stat_activity where backend_type = 'client backend' and application_name = ''`,
    );
    return rows[0].n;
  }

  let admin: pg.Client;
  beforeAll(async () => {
    admin = await connectTo('admin');
  });
  afterAll(() => admin?.end());

  async function connectTo(name: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: postgres.url, application_name: name });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  test('without PostgreSQL, as in its restart, wait for it', async () => {
    await works();
    proxy.refuse();
    expect(await readThrough(() => proxy.heal())).toEqual(new Set([200]));
  });

  test('without a free connection wait for one', async () => {
    await works();
    const others: pg.Client[] = [];
    const end = (count: number) => Promise.all(others.splice(0, count).map((client) => client.end()));
    onTestFinished(() => void end(others.length));
    proxy.refuse();
    const take = async (): Promise<never> => {
      for (;;) others.push(await connectTo('other'));
    };
    await expect(take()).rejects.toMatchObject({ code: '53300' });
    await proxy.heal();
    // More than the server uses. The end of all at once would keep the machine busy for longer than requests wait.
    expect(await readThrough(() => end(40))).toEqual(new Set([200]));
    await end(others.length);
  });
});

test('a transaction whose connection breaks before its commit runs again', async () => {
  await works();
  let runs = 0;
  await server.db.transaction(async (tx) => {
    if (++runs === 1) proxy.cut();
    await tx.execute(sql`select 1`);
  });
  expect(runs).toBe(2);
});

test('while PostgreSQL is away, requests get 503 and Retry-After, and work again when it is back', async () => {
  proxy.refuse();
  const response = await vi.waitFor(async () => {
    const answer = await fetch(profile(), { headers: { authorization: ada.authorization } });
    expect(answer.status).toBe(503);
    return answer;
  });
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await response.json()).toMatchObject({ status: 503, code: 'database_away' });
  await proxy.heal();
  await works();
});

test('metrics on the port of the app need the token', async () => {
  const wrong = ['', 'Bearer', `Bearer ${METRICS_TOKEN.toUpperCase()}`, `Basic ${METRICS_TOKEN}`, `Bearer ${METRICS_TOKEN}x`];
  for (const authorization of wrong) expect((await scrape(authorization)).status).toBe(401);
});

test('a scrape on an idle server does not count its own query as one that waits', async () => {
  const idle = await startServer({ env: { ...sharedEnv(postgres.url), METRICS_TOKEN }, analyst });
  onTestFinished(idle.close);
  const response = await fetch(`${idle.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const text = await response.text();
  expect(text).toMatch(/^tidemark_database_up 1$/m);
  expect(text).toMatch(/^tidemark_database_pool_connections\{state="waiting"\} 0$/m);
});

test('while PostgreSQL is away, metrics lack its figures alone', async () => {
  proxy.refuse();
  const response = await scrape(`Bearer ${METRICS_TOKEN}`);
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).toMatch(/^tidemark_database_up 0$/m);
  expect(text).toMatch(/^tidemark_database_pool_connections\{state="total"\} \d+$/m);
  expect(text).not.toMatch(/^tidemark_(queue_oldest_seconds|bots|pictures)\{/m);
  await proxy.heal();
  await works();
});

test('while PostgreSQL only reads, requests get 503 and no process is ready, and connections to such a server are replaced', async () => {
  const admin = new pg.Client({ connectionString: postgres.url });
  await admin.connect();
  onTestFinished(async () => {
    await admin.query('alter database postgres reset default_transaction_read_only');
    await admin.end();
  });
  const write = () =>
    server.post(
      '/watchlist',
      { userId: ada.user.id, cryptoId: 1, cryptoSymbol: 'BTC', cryptoName: 'Bitcoin', actionType: 1 },
      { authorization: ada.authorization },
    );
  await works();
  await admin.query('alter database postgres set default_transaction_read_only = on');
  proxy.cut();
  await vi.waitFor(async () => expect(await readiness()).toHaveProperty('detail.failed', expect.arrayContaining(['database'])));
  const refused = await write();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '3']);
  // The connections that are open still only read.
  await admin.query('alter database postgres reset default_transaction_read_only');
  await vi.waitFor(async () => expect(await readiness()).toEqual({ status: 200 }), { timeout: 30_000 });
  expect((await write()).status).toBe(200);
});

test('without PostgreSQL the server is alive, but not ready', async () => {
  await vi.waitFor(async () => expect(await readiness()).toEqual({ status: 200 }));
  proxy.refuse();
  await vi.waitFor(async () => expect(await readiness()).toMatchObject({ status: 503 }));
  const answer = await readiness();
  expect(answer).toEqual({
    status: 503,
    code: 'not_ready',
    message: expect.stringMatching(/^Not ready: /),
    detail: { failed: expect.any(Array) },
  });
  expect(answer).toHaveProperty('detail.failed', expect.arrayContaining(['database', 'queue']));
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  await proxy.heal();
  await vi.waitFor(async () => expect(await readiness()).toEqual({ status: 200 }), { timeout: 30_000 });
});

test('an answer that is ready while PostgreSQL is away is stored when it is back', async () => {
  const gate = createGate();
  analyst.respond = async () => {
    await gate.passed;
    return 'The tide is high.';
  };
  const socket = await connect(server.url, ada.tokens.accessToken);
  const answer = next(socket, 'chat_response', ({ chat_status }) => chat_status === 'ai-responce');
  await send(socket, questionOf(ada.user.id));
  await vi.waitFor(() => expect(analyst.asked).toHaveLength(1));
  proxy.refuse();
  gate.open();
  await vi.waitFor(async () => expect((await read()).status).toBe(503));
  await proxy.heal();
  expect(await answer).toMatchObject({ ai_response: 'The tide is high.' });
  expect(analyst.asked).toHaveLength(1);
  socket.disconnect();
});

test('an analyst whose own queries fail for a while still answers', async () => {
  let failures = 0;
  analyst.respond = async () => {
    while (failures < 4) {
      proxy.cut();
      await server.db.execute(sql`update users set email = email where false`).catch((error) => {
        failures++;
        throw error;
      });
    }
    return 'The tide is low.';
  };
  const socket = await connect(server.url, ada.tokens.accessToken);
  const answer = next(socket, 'chat_response', ({ chat_status }) => chat_status === 'ai-responce');
  await send(socket, questionOf(ada.user.id));
  expect(await answer).toMatchObject({ ai_response: 'The tide is low.' });
  socket.disconnect();
});

test('after a query without an answer, no request waits for another connection of that time', async () => {
  const readAll = async () => new Set(await Promise.all(Array.from({ length: 20 }, async () => (await read()).status)));
  await vi.waitFor(async () => expect(await readAll()).toEqual(new Set([200])));
  proxy.freeze();
  expect((await read()).status).toBe(503);
  await proxy.heal();
  expect(await readAll()).toEqual(new Set([200]));
  proxy.cut(); // a frozen connection cannot be closed
  await works();
});

test('a network that drops packets delays no request for long, and its connections are replaced', async () => {
  const statuses = await readDuring(async () => {
    await works();
    proxy.freeze();
    await vi.waitFor(async () => expect(await readiness()).toMatchObject({ status: 503 }), { timeout: 30_000 });
    await vi.waitFor(async () => expect((await read()).status).toBe(503), { timeout: 30_000 });
    await proxy.heal();
    await works();
  });
  expect([...statuses].sort()).toEqual([200, 503]);
  proxy.cut(); // a frozen connection cannot be closed
});

test('statements share as many connections as DATABASE_POOL allows', async () => {
  await Promise.all(Array.from({ length: 20 }, () => server.db.execute(sql`select pg_sleep(0.2)`)));
  const text = await (await scrape(`Bearer ${METRICS_TOKEN}`)).text();
  expect(text).toMatch(/^tidemark_database_pool_connections\{state="total"\} 7$/m);
});
