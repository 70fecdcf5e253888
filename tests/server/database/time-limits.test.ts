import fs from 'node:fs';
import pg from 'pg';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { openDb } from '#server/db/open.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/processes/tcp-proxy.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

/** Longer than any test waits, ms and s: what only these would end fails its test. */
const NEVER = 600_000;
const NEVER_SECONDS = String(NEVER / 1000);
/** How long a test waits, ms. */
const PATIENCE = { timeout: 60_000, interval: 100 };

let url: string;
let proxy: TcpProxy;
let env: Record<string, string>;
/** Each has one short limit. */
let brief: Record<'statement' | 'lock', TestServer>;
let ada: SignedUp;
const clients: pg.Client[] = [];

onPostgres(
  async (postgres) => {
    url = postgres.url;
    proxy = await startTcpProxy(postgres);
    env = { ...sharedEnv(url), DATABASE_TIMEOUT: NEVER_SECONDS };
    const [statement, lock] = await Promise.all([
      startServer({ env: { ...env, DATABASE_TIMEOUT: '4' }, databaseLimits: { lockTimeout: NEVER, idleTimeout: NEVER } }),
      startServer({ env, databaseLimits: { lockTimeout: 1_000, idleTimeout: NEVER } }),
    ]);
    brief = { statement, lock };
    ada = await lock.signUp();
  },
  async () => {
    for (const server of Object.values(brief ?? {})) await server.close();
    await proxy?.close();
  },
);

afterEach(async () => {
  await proxy?.heal();
  for (const client of clients.splice(0)) await client.end();
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  clients.push(client);
  await client.connect();
  return client;
}

const lock = (client: pg.Client) => client.query('select 1 from users where id = $1 for no key update', [ada.user.id]);

/** Locks Ada's row until the test ends. */
async function lockAda(): Promise<void> {
  const client = await connect();
  await client.query('begin');
  await lock(client);
}

/** Sends a change of Ada's watchlist, which locks her row. */
const change = ({ post }: TestServer): Promise<Response> =>
  post(`/watchlist/${ada.user.id}/order`, { cryptoId: 1, beforeId: null }, { authorization: ada.authorization });

async function expectAway(response: Response): Promise<void> {
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await response.json()).toMatchObject({ code: 'database_away' });
}

/** Counts the connections in a state. */
async function countWhere(state: string): Promise<number> {
  const { rows } = await (await connect()).query(`select count(*)::int as n from pg_stat_activity where ${state}`);
  return rows[0].n;
}

test('a change that waits too long for a lock is answered with 503', async () => {
  await lockAda();
  await expectAway(await change(brief.lock));
});

test('PostgreSQL ends a statement that takes too long, and its request is answered with 503', async () => {
  await lockAda();
  await expectAway(await change(brief.statement));
  await vi.waitFor(async () => expect(await countWhere(`wait_event_type = 'Lock'`)).toBe(0), PATIENCE);
});

test.for([
  ['before its commit', 200, / from "users" .* for no key update/],
  ['at its commit', 503, / from "watched_coins" /],
] as const)('PostgreSQL ends a transaction that falls silent %s: its lock is free, and its request gets %i', async ([, status, last]) => {
  // The statement's text goes over a connection once.
  const through = new URL(url);
  through.port = String(proxy.port);
  const server = await startServer({
    env: { ...env, DATABASE_URL: through.href },
    databaseLimits: { lockTimeout: NEVER, idleTimeout: 3_000 },
  });
  onTestFinished(server.close);
  const muted = proxy.muteAfter(last);
  const answer = change(server);
  await muted;
  const response = await answer;
  if (status === 503) await expectAway(response);
  else expect(response.status).toBe(200);
  const client = await connect();
  await client.query(`set lock_timeout = ${PATIENCE.timeout}`);
  await lock(client);
});

/** Returns the timer of a connection of this machine: its kind, and how long until it fires, ms. */
function timerOf(table: string, ports: number[]): { kind: string; left: number } | undefined {
  const ends = ports.map((port) => `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`).join(' ');
  const [, kind = '', left = ''] = new RegExp(`: ${ends} .. \\S+ (..):(\\S+) `).exec(table) ?? [];
  return kind === '' ? undefined : { kind, left: Number.parseInt(left, 16) * 10 };
}

test('idle connections are probed after seconds, not hours', async ({ skip }) => {
  const file = '/proc/net/tcp';
  if (!fs.existsSync(file)) skip('Only Linux shows the timers of connections');
  const { db, close } = await openDb({ databaseUrl: url, dataDir: '' });
  onTestFinished(close);
  const { rows } = (await db.execute('select inet_client_port() as near, inet_server_port() as far')) as unknown as {
    rows: [{ near: number; far: number }];
  };
  const { near, far } = rows[0];
  const timer = () => timerOf(fs.readFileSync(file, 'utf8'), [near, far]);
  // The kind of a timer that sends probes.
  await vi.waitFor(() => expect(timer()?.kind).toBe('02'), PATIENCE);
  expect(timer()?.left).toBeLessThan(20_000);
});
