import { eq } from 'drizzle-orm';
import pg from 'pg';
import { beforeEach, expect, test, vi } from 'vitest';
import { openDb } from '#server/db/open.ts';
import { users } from '#server/db/schema/users.ts';
import { startPgBouncer } from '#tests/support/processes/pgbouncer.ts';
import type { Postgres } from '#tests/support/processes/postgres.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { connect, next, questionOf, send, type TestSocket } from '#tests/support/server/realtime.ts';
import { startServer } from '#tests/support/server/server.ts';

let postgres: Postgres;
let bouncer: Postgres | undefined;

onPostgres(
  async (started) => {
    postgres = started;
    bouncer = await startPgBouncer(postgres);
  },
  async () => bouncer?.stop(),
);

beforeEach(({ skip }) => {
  if (!bouncer) skip('PgBouncer is not installed here');
});

async function ask(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

test('servers start and work behind PgBouncer in transaction mode, hear each other, and leave no lock', async () => {
  const env = { ...sharedEnv(bouncer?.url ?? ''), DATABASE_LISTEN_URL: postgres.url };
  const servers = await Promise.all([startServer({ env }), startServer({ env })]);
  const { user, tokens } = await servers[0].signUp();
  const [phone, laptop] = await Promise.all(servers.map((server) => connect(server.url, tokens.accessToken)));
  const answers = [phone, laptop].map((socket) => next(socket as TestSocket, 'chat_response'));
  await send(phone as TestSocket, questionOf(user.id));
  await Promise.all(answers);
  for (const socket of [phone, laptop]) socket?.disconnect();
  for (const server of servers) await server.close();
  expect(await ask("select * from pg_locks where locktype = 'advisory'")).toEqual([]);
});

test('connections have their settings behind PgBouncer, too', async () => {
  const { db, close } = await openDb({ databaseUrl: bouncer?.url, dataDir: '' });
  const answer = await db.execute(`select current_setting('jit') as jit, current_setting('lock_timeout') as locks`);
  expect(answer).toMatchObject({ rows: [{ jit: 'off', locks: '10s' }] });
  await close();
});

test('a start that waits for the migrations of another server says so', async () => {
  const holder = new pg.Client({ connectionString: postgres.url });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select pg_advisory_xact_lock(7301)');
  const said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const opening = openDb({ databaseUrl: bouncer?.url, dataDir: '' });
  await vi.waitFor(() => expect(said).toHaveBeenCalledWith('Another server is migrating the database. Waiting for it.'), {
    timeout: 30_000,
  });
  await holder.end();
  await (await opening).close();
});

test('connections behind PgBouncer keep no plans, which another client would not find', async () => {
  const { db, close } = await openDb({ databaseUrl: bouncer?.url, dataDir: '' });
  for (let turn = 0; turn < 10; turn++) await db.$count(users, eq(users.email, 'ada@example.com'));
  const { rows } = (await db.execute('select count(*)::int as plans from pg_prepared_statements')) as unknown as { rows: unknown[] };
  expect(rows).toEqual([{ plans: 0 }]);
  await close();
});
