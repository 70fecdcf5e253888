import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { lockDirectory } from '#server/db/embedded/directory-lock.ts';
import { openDb } from '#server/db/open.ts';
import { users } from '#server/db/schema/users.ts';
import { isNightly } from '#tests/support/nightly.ts';
import { buildServer, operatorRows, runOperator, startOperator } from '#tests/support/processes/operator.ts';
import { createFilledData, digestsOf, type Texts, textsIn } from '#tests/support/server/filled-data.ts';
import { onPostgres } from '#tests/support/server/on-postgres.ts';

const ROWS = 30;

let admin: pg.Client;
let dataDir: string;
let texts: Texts;
let base: string;
let databases = 0;
/** Address of a new, empty database. */
let to: string;

onPostgres(
  async ({ url }) => {
    base = url;
    admin = new pg.Client({ connectionString: url });
    await admin.connect();
  },
  () => admin.end(),
);
beforeAll(async () => {
  await buildServer();
  ({ dataDir, texts } = await createFilledData(ROWS));
}, 240_000);
beforeEach(async () => {
  const name = `moved_${databases++}`;
  await admin.query(`create database ${name}`);
  to = base.replace(/\/postgres$/, `/${name}`).replace('tidemark@', 'tidemark:hidden@');
});
afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }));

const move = (target = to, from = dataDir) => runOperator(['move', '--to', target], { DATA_DIR: from });

/** Runs a query in the new database. */
async function ask<Row extends pg.QueryResultRow>(query: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: to });
  await client.connect();
  try {
    return (await client.query<Row>(query)).rows;
  } finally {
    await client.end();
  }
}

test('PostgreSQL has every row of every table and takes new ones, and the source is as it was', async () => {
  const before = digestsOf(dataDir);
  const moved = await operatorRows(['move', '--to', to], { DATA_DIR: dataDir });
  expect(JSON.stringify(moved)).not.toContain('hidden');
  const next = moved.pop();
  expect(next).toEqual({ next: expect.stringMatching(/DATABASE_URL.+blobs.+JWT_SECRET.+SECRETS_KEY/) });
  expect(Object.fromEntries(moved.map(({ table, rows }) => [table, rows]))).toEqual(
    Object.fromEntries(Object.entries(texts).map(([table, rows]) => [table, rows.length])),
  );
  expect(await textsIn({ dataDir, databaseUrl: to })).toEqual(texts);
  expect(digestsOf(dataDir)).toEqual(before);
  expect(await ask(`select nspname from pg_namespace where nspname = 'tidemark_move'`)).toEqual([]);
  const again = await move();
  expect(again).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^--to: the database has data already \(.+\)\. Create a new, empty one\.\n$/),
  });
  expect(await textsIn({ dataDir, databaseUrl: to })).toEqual(texts);

  const { db, close } = await openDb({ databaseUrl: to, dataDir });
  await db.insert(users).values({ email: 'new@example.com', firstName: 'Ada', lastName: 'Lovelace', passwordHash: 'x' });
  await db.execute(`update bots set name = name || '!' where equity = (select min(equity) from bots)`);
  await close();
  const later = await runOperator(['verify', '--to', to, '--json'], { DATA_DIR: dataDir });
  expect(later.code).toBe(1);
  const compared = JSON.parse(later.stdout);
  expect(compared).toHaveLength(moved.length);
  const faulty = compared.filter(({ faults }: { faults: number }) => faults !== 0);
  expect(faulty).toEqual([
    { check: 'users is equal in both', rows: ROWS, moved_rows: ROWS + 1, faults: 1 },
    { check: 'bots is equal in both', rows: ROWS, moved_rows: ROWS, faults: 1 },
  ]);
  expect(await ask(`select sequencename from pg_sequences where schemaname = 'public'`)).toEqual([]);
});

test('a new database that is not in UTF-8 is refused by the move, which leaves it empty, and by the server', async () => {
  const name = `latin_${databases}`;
  await admin.query(`create database ${name} encoding 'LATIN1' locale 'C' template template0`);
  to = to.replace(/[^/]+$/, name);
  const line = 'the database has the encoding LATIN1, which lacks characters. Create a new one:';
  expect(await move()).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(`--to: ${line}`) });
  expect(await ask(`select nspname from pg_namespace where nspname in ('tidemark_move', 'drizzle')`)).toEqual([]);
  await expect(openDb({ databaseUrl: to, dataDir })).rejects.toThrow(`DATABASE_URL: ${line}`);
});

const AFTER = (tables: number): [string, string] => [
  `after ${tables} tables`,
  `(select count(*) from tidemark_move.progress) >= ${tables}`,
];
const KILLS: [string, string][] = [
  ['within a table', `new.name = 'bots' and exists (select 1 from tidemark_move.progress where name = 'bots')`],
  ...(isNightly ? [0, 1, 5, 15, 25, 36].map(AFTER) : []),
];

test.each(KILLS)('a move that is killed %s is refused at start, and continues', { timeout: 240_000 }, async (_, isThen) => {
  // Holds the move between the rows of a batch and their commit.
  await ask(`
    create function hold() returns trigger language plpgsql as $$ begin
      if ${isThen} then perform pg_sleep(60); end if; return new; end $$;
    create function set_hold() returns event_trigger language plpgsql as $$ begin
      if to_regclass('tidemark_move.progress') is not null then
        create or replace trigger hold before insert on tidemark_move.progress for each row execute function public.hold();
      end if; end $$;
    create event trigger set_hold on ddl_command_end when tag in ('CREATE TABLE') execute function set_hold()`);
  const { child, said } = startOperator(['move', '--to', to], { DATA_DIR: dataDir });
  const held = `select pid from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;
  await vi.waitUntil(async () => (await ask(held)).length > 0, { interval: 20, timeout: 150_000 });
  if (process.platform === 'linux') expect(fs.readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')).not.toContain('hidden');
  child.kill('SIGKILL');
  expect((await said).code).toBeNull();
  await ask(`select pg_terminate_backend(pid) from (${held}) sleeping`);
  await vi.waitUntil(async () => (await ask(held)).length === 0, { interval: 20, timeout: 30_000 });
  await ask('drop event trigger set_hold; drop trigger hold on tidemark_move.progress');
  await expect(textsIn({ dataDir, databaseUrl: to })).rejects.toThrow(
    'DATABASE_URL: the database holds an unfinished move. Run `npm run operator -- move` again.',
  );
  expect(await move()).toMatchObject({ code: 0, stderr: '' });
  expect(await textsIn({ dataDir, databaseUrl: to })).toEqual(texts);
});

/** Makes the statement of a move fail that has this tag. */
const failAt = (tag: string, failure: string) =>
  ask(`
    create function fail() returns event_trigger language plpgsql as $$ begin ${failure}; end $$;
    create event trigger fail on ddl_command_end when tag in ('${tag}') execute function fail()`);

test('a move that lacks a right says what to do first', async () => {
  await failAt('CREATE TABLE', `raise insufficient_privilege using message = 'permission denied for schema public'`);
  expect(await move()).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The move stopped (permission denied for schema public). Give the role this right, then run it again: it continues.\n',
  });
});

test('a move that loses PostgreSQL at its end does not promise that it continues', async () => {
  await ask(`
    create function cut() returns event_trigger language plpgsql as $$ begin
      if exists (select from pg_event_trigger_dropped_objects() where object_identity = 'tidemark_move') then
        perform pg_terminate_backend(pg_backend_pid());
      end if; end $$;
    create event trigger cut on sql_drop execute function cut()`);
  const said = await move();
  expect(said).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^All tables are copied and equal, but the end of the move is not confirmed \(.+\)\. Run it again: /),
  });
});

test.runIf(isNightly)('a move does not continue with other data', async () => {
  const changed = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-changed-'));
  fs.cpSync(dataDir, changed, { recursive: true });
  try {
    await ask('create schema tidemark_move');
    await ask(`create table tidemark_move.source as select 'other' as identity`);
    const said = await move(to, changed);
    expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining('unfinished move of other data') });
    expect(await ask(`select 1 from pg_tables where schemaname = 'public'`)).toEqual([]);
  } finally {
    fs.rmSync(changed, { recursive: true });
  }
});

test('a move refuses a database with a table of anybody, and changes nothing in it', async () => {
  await ask('create table notes (id int)');
  expect(await move()).toMatchObject({ code: 1, stderr: '--to: the database has data already (public.notes). Create a new, empty one.\n' });
  expect(await ask(`select nspname from pg_namespace where nspname in ('drizzle', 'tidemark_move')`)).toEqual([]);
});

test('a move refuses a running server, an address that is none, a server that does not answer, and a missing database', async () => {
  const unlock = await lockDirectory(dataDir);
  expect(await move()).toMatchObject({ code: 1, stderr: `DATA_DIR: ${dataDir} is already open in another Tidemark process.\n` });
  await unlock();
  for (const wrong of ['mysql://u:hidden@host/x', 'postgres://u:hid den@:x/'])
    expect(await move(wrong)).toEqual({ code: 2, stdout: '', stderr: '--to must be an address such as postgres://user@host/database.\n' });
  expect(await move('postgres://u:hidden@127.0.0.1:1/x?sslrootcert=/absent')).toEqual({
    code: 1,
    stdout: '',
    stderr: '--to: the file of its sslrootcert cannot be read (ENOENT /absent).\n',
  });
  const said = await move('postgres://u:hidden@127.0.0.1:1/x');
  expect(said).toEqual({ code: 1, stdout: '', stderr: '--to: cannot connect to PostgreSQL (ECONNREFUSED).\n' });
  const absent = await move(to.replace(/[^/]+$/, 'absent'));
  expect(absent).toMatchObject({ code: 1, stderr: '--to: cannot connect to PostgreSQL (database "absent" does not exist).\n' });
});
