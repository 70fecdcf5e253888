import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openDb } from '#server/db/open.ts';
import { startPgBouncer } from '#tests/support/processes/pgbouncer.ts';
import { type Postgres, startPostgres } from '#tests/support/processes/postgres.ts';
import { startServer } from '#tests/support/server/server.ts';

let postgres: Postgres | undefined;
let bouncer: Postgres | undefined;

beforeAll(async () => {
  postgres = await startPostgres();
  bouncer = postgres && (await startPgBouncer(postgres));
}, 180_000);

beforeEach(({ skip }) => {
  if (!bouncer) skip('PostgreSQL and PgBouncer are not installed here');
});

afterAll(async () => {
  await bouncer?.stop();
  await postgres?.stop();
});

async function ask(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: postgres?.url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

test('servers start and work behind PgBouncer in transaction mode, and leave no lock', async () => {
  const env = { DATABASE_URL: bouncer?.url ?? '', JWT_SECRET: 'j'.repeat(32), SECRETS_KEY: 's'.repeat(32) };
  const servers = await Promise.all([startServer({ env }), startServer({ env })]);
  for (const server of servers) await server.signUp();
  for (const server of servers) await server.close();
  expect(await ask("select * from pg_locks where locktype = 'advisory'")).toEqual([]);
});

test('a start that waits for the migrations of another server says so', async () => {
  const holder = new pg.Client({ connectionString: postgres?.url });
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
