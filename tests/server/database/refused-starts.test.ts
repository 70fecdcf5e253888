import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, expect, test, vi } from 'vitest';
import { migrationsFolder } from '#server/db/migrate-to.ts';
import { openPostgres } from '#server/db/postgres/open-postgres.ts';
import { openTarget } from '#server/operator/move/target.ts';
import { freePort } from '#tests/support/processes/free-port.ts';
import { launch } from '#tests/support/processes/launch.ts';
import { buildServer } from '#tests/support/processes/operator.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { at } from '#tools/root.mjs';

/** The number of the lock that migrating servers take. */
const MIGRATION_LOCK = 7301;

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-refused-'));
let address: URL;
let admin: pg.Client;

onPostgres(
  async (postgres) => {
    await buildServer();
    address = new URL(postgres.url);
    admin = await connect('/postgres');
    await admin.query('create role guest login');
  },
  async () => admin?.end(),
);
afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }));

async function connect(pathname: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: Object.assign(new URL(address), { pathname }).href });
  await client.connect();
  return client;
}

/** Starts the built server. Returns how it ended. */
async function start(pathname: string, username = address.username) {
  const url = Object.assign(new URL(address), { pathname, username }).href;
  return launch(at('dist/server/main.js'), { ...sharedEnv(url), DATA_DIR: dataDir, PORT: String(await freePort()) }).ended;
}

const refusal = (line: string) => ({ code: 1, stdout: expect.any(String), stderr: `Tidemark cannot start. DATABASE_URL: ${line}.\n` });

test.each([
  ['does not exist', undefined, 'cannot connect to PostgreSQL (database "absent" does not exist)', ''],
  ['may not be changed', 'guest', 'PostgreSQL refuses to migrate (permission denied for database guests)', 'create database guests'],
  [
    'is read-only',
    undefined,
    'PostgreSQL refuses to migrate (cannot execute CREATE SCHEMA in a read-only transaction)',
    'create database standby; alter database standby set default_transaction_read_only = on',
  ],
])('a database that %s is refused in one line', async (_what, user, line, statements) => {
  for (const statement of statements.split('; ').filter(Boolean)) await admin.query(statement);
  const name = /create database (\w+)/.exec(statements)?.[1] ?? 'absent';
  expect(await start(`/${name}`, user)).toEqual(refusal(line));
});

test('so is a PostgreSQL that is too old, also by a move', async () => {
  await admin.query('create database aged');
  const aged = await connect('/aged');
  // Hides the real version: only a name in front of PostgreSQL's own can.
  await aged.query(`
    create function public.current_setting(text) returns text language sql as
      $$ select case when $1 = 'server_version_num' then '140018' else pg_catalog.current_setting($1) end $$;
    alter database aged set search_path = public, pg_catalog`);
  await aged.end();
  expect(await start('/aged')).toEqual(refusal('PostgreSQL is version 14. Tidemark needs 15 or newer'));
  const url = Object.assign(new URL(address), { pathname: '/aged' }).href;
  await expect(openTarget(url)).rejects.toThrow('--to: PostgreSQL is version 14. Tidemark needs 15 or newer.');
});

/** Ends the connections of a database that wait in a statement, as soon as there are any. */
const endWaiting = (database: string, statement: string) =>
  vi.waitFor(
    async () => {
      const { rows } = await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and query ~ $2 and pid <> pg_backend_pid()',
        [database, statement],
      );
      expect(rows).not.toEqual([]);
    },
    { timeout: 30_000, interval: 20 },
  );

test('so is one whose connections end during the migrations', async () => {
  await admin.query('create database unsteady');
  const other = await connect('/unsteady');
  await other.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
  const started = start('/unsteady');
  await endWaiting('unsteady', 'pg_try_advisory');
  const ended = await started;
  await other.end();
  expect(ended).toEqual({ ...refusal(''), stderr: expect.stringMatching(/^Tidemark cannot start\. .* refuses to migrate \([^)]+\)\.\n$/) });
});

test('so is one whose connections end after the migrations, again and again', async () => {
  await admin.query('create database unsteadier');
  const databaseUrl = Object.assign(new URL(address), { pathname: '/unsteadier' }).href;
  await (await openPostgres(databaseUrl, { migrationsFolder })).close();
  const other = await connect('/unsteadier');
  await other.query('begin; lock table secret_fingerprints');
  const started = start('/unsteadier');
  // A transaction whose connection breaks runs once more.
  for (let times = 0; times < 2; times++) await endWaiting('unsteadier', '^insert into "secret_fingerprints"');
  const ended = await started;
  await other.end();
  expect(ended).toEqual({
    ...refusal(''),
    stderr: expect.stringMatching(/^Tidemark cannot start\. .* went away during the start \([^)]+\)\.\n$/),
  });
});
