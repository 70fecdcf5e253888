import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { startTcpProxy, type TcpProxy } from '#tests/support/processes/tcp-proxy.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const listening = { check: 50, limit: 10_000, firstRetry: 20, maxRetry: 100 };

let url: string;
let admin: pg.Client;
/** Stands between the servers and what they listen to. */
let proxy: TcpProxy;
let listenUrl: string;
let server: TestServer | undefined;

onPostgres(
  async (postgres) => {
    url = postgres.url;
    admin = new pg.Client({ connectionString: url });
    await admin.connect();
    proxy = await startTcpProxy(postgres);
    const through = new URL(url);
    through.port = String(proxy.port);
    listenUrl = through.href;
  },
  async () => {
    await proxy?.close();
    await admin?.end();
  },
);

afterEach(async () => {
  await server?.close();
  server = undefined;
  await proxy?.heal();
});

/** Starts a server that may be not ready, and returns what asks it whether it is. */
async function start(): Promise<() => Promise<unknown>> {
  const started = await startServer({ env: { ...sharedEnv(url), DATABASE_LISTEN_URL: listenUrl }, listening, awaitsListener: false });
  server = started;
  return async () => (await fetch(`${started.url}/readyz`)).json();
}

/** What a process answers that is not ready for one reason alone. */
const lacks = (check: string) => ({ status: 503, code: 'not_ready', message: `Not ready: ${check}.`, detail: { failed: [check] } });

const becomes = (readiness: () => Promise<unknown>, answer: object) =>
  vi.waitFor(async () => expect(await readiness()).toEqual(answer), { timeout: 30_000, interval: 100 });

const listeners = async (): Promise<number> =>
  (await admin.query(`select count(*)::int as n from pg_stat_activity where application_name = 'tidemark listener'`)).rows[0].n;

test('a process is ready once its listener hears, and stays so when it loses the listener', async () => {
  proxy.refuse();
  const readiness = await start();
  await becomes(readiness, lacks('listener'));
  expect((await fetch(`${server?.url}/healthz`)).status).toBe(200);
  await proxy.heal();
  await becomes(readiness, { status: 200 });

  proxy.refuse();
  await vi.waitFor(async () => expect(await listeners()).toBe(0), { timeout: 30_000 });
  const answers = new Set<unknown>();
  // Longer than an answer is repeated.
  for (const end = performance.now() + 3_000; performance.now() < end; await pause(100)) answers.add(JSON.stringify(await readiness()));
  expect([...answers]).toEqual(['{"status":200}']);
});

test('a process whose database lacks the newest migration is not ready, also when it was before', async () => {
  const readiness = await start();
  await becomes(readiness, { status: 200 });
  const newest = 'created_at = (select max(created_at) from drizzle.__drizzle_migrations)';
  const { rows } = await admin.query(`delete from drizzle.__drizzle_migrations where ${newest} returning id, hash, created_at`);
  const { id, hash, created_at } = rows[0];
  const insert = 'insert into drizzle.__drizzle_migrations (id, hash, created_at) values ($1, $2, $3) on conflict do nothing';
  const restore = () => admin.query(insert, [id, hash, created_at]);
  onTestFinished(async () => void (await restore()));
  await becomes(readiness, lacks('migrations'));
  await restore();
  await becomes(readiness, { status: 200 });
});

test('a process whose job queue does not answer is not ready until it does', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined); // the job queue reports each failure
  const readiness = await start();
  await becomes(readiness, { status: 200 });
  await admin.query('alter table boss.queue rename to lost_queue');
  const restore = () => admin.query('alter table if exists boss.lost_queue rename to queue');
  onTestFinished(async () => void (await restore()));
  await becomes(readiness, lacks('queue'));
  await restore();
  await becomes(readiness, { status: 200 });
});
