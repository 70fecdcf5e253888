import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { migrationsFolder } from '#server/db/migrate-to.ts';
import { openPostgres } from '#server/db/postgres/open-postgres.ts';
import { StartupError } from '#server/startup-error.ts';
import { startTcpProxy } from '#tests/support/processes/tcp-proxy.ts';
import { onPostgres } from '#tests/support/server/on-postgres.ts';

const INDEX = 'CREATE INDEX IF NOT EXISTS "notifications_test" ON "notifications" USING btree ("created_at");';
const COLUMN = 'ALTER TABLE "notifications" ADD COLUMN "test" text;';

/** The number of the lock that migrating servers take. */
const MIGRATION_LOCK = 7301;

/** Longer than the test may take, ms: what waits for something that never comes fails it. */
const LONG = 120_000;

let serverUrl: string;
let url: string;
let folder: string;
const clients: pg.Client[] = [];

onPostgres(
  async (postgres) => {
    serverUrl = postgres.url;
  },
  async () => undefined,
);

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-migrations-'));
  const address = new URL(serverUrl);
  const name = `migrations_${Math.random().toString(36).slice(2)}`;
  await (await connect(serverUrl)).query(`create database ${name}`);
  address.pathname = `/${name}`;
  url = address.href;
  await (await openPostgres(url, { migrationsFolder })).close();
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(clients.splice(0).map((client) => client.end()));
  fs.rmSync(folder, { recursive: true });
});

async function connect(address = url): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: address });
  clients.push(client);
  await client.connect();
  return client;
}

/** Opens the database as a version that has one more migration. */
async function upgrade(sql: string, lockTimeout?: number, step = 1): Promise<void> {
  const next = path.join(folder, String(fs.readdirSync(folder).length));
  fs.cpSync(migrationsFolder, next, { recursive: true });
  const file = path.join(next, 'meta', '_journal.json');
  const journal = JSON.parse(fs.readFileSync(file, 'utf8'));
  const last = journal.entries.at(-1);
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + step, tag: 'next' });
  fs.writeFileSync(file, JSON.stringify(journal));
  fs.writeFileSync(path.join(next, 'next.sql'), sql);
  const opened = await openPostgres(url, { migrationsFolder: next, ...(lockTimeout !== undefined && { lockTimeout }) });
  await opened.close();
}

/** Waits until a backend runs a statement and waits for a lock. */
async function untilWaits(client: pg.Client, statement: string): Promise<void> {
  const waits = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ilike $1 and datname = current_database()`;
  await vi.waitFor(async () => expect((await client.query(waits, [`%${statement}%`])).rowCount).toBe(1), { timeout: 30_000 });
}

const isValid = async (client: pg.Client) =>
  (await client.query(`select indisvalid from pg_index where indexrelid = to_regclass('notifications_test')`)).rows;

test('an index of a new version is created while the previous version writes', async () => {
  const [early, late] = [await connect(), await connect()];
  await early.query('begin');
  await early.query(`lock notifications in row exclusive mode`); // a change that is not committed yet
  const upgraded = upgrade(INDEX, LONG);
  await untilWaits(late, 'create index concurrently');
  await late.query(`set lock_timeout = 1000`);
  await late.query('begin');
  await late.query('lock notifications in row exclusive mode');
  await late.query('commit');
  await early.query('commit');
  await upgraded;
  expect(await isValid(late)).toEqual([{ indisvalid: true }]);
});

test('a second server that starts meanwhile holds up neither the index nor itself', async () => {
  const early = await connect();
  await early.query('begin');
  await early.query(`lock notifications in row exclusive mode`);
  const first = upgrade(INDEX, LONG);
  await untilWaits(await connect(), 'create index concurrently');
  const second = upgrade(INDEX, LONG);
  await vi.waitFor(() => expect(console.log).toHaveBeenCalledWith('Another server is migrating the database. Waiting for it.'));
  await early.query('commit');
  await Promise.all([first, second]);
  expect(await isValid(early)).toEqual([{ indisvalid: true }]);
});

test('an index that a killed start left unfinished is created again', async () => {
  const client = await connect();
  await client.query('create index notifications_test on notifications (created_at)');
  await client.query(`update pg_index set indisvalid = false where indexrelid = 'notifications_test'::regclass`);
  await upgrade(INDEX, LONG);
  expect(await isValid(client)).toEqual([{ indisvalid: true }]);
});

describe('an index waits for a transaction that keeps its snapshot and holds the table, such as `pg_dump`', () => {
  const dump = async () => {
    const client = await connect();
    await client.query('begin isolation level repeatable read');
    await client.query('lock notifications in access share mode');
    await client.query('select 1'); // takes the snapshot
    return client;
  };

  test('and says so, while requests go on', async () => {
    const [dumping, request] = [await dump(), await connect()];
    const upgraded = upgrade(INDEX, 200);
    await vi.waitFor(() => expect(console.log).toHaveBeenCalledWith(expect.stringContaining('A long transaction')), { timeout: 30_000 });
    await request.query('begin; lock notifications in row exclusive mode; commit');
    expect(await isValid(request)).toEqual([{ indisvalid: false }]);
    await dumping.query('commit');
    await upgraded;
    expect(await isValid(request)).toEqual([{ indisvalid: true }]);
  });

  test('also after a killed start', async () => {
    const client = await connect();
    await client.query('create index notifications_test on notifications (created_at)');
    await client.query(`update pg_index set indisvalid = false where indexrelid = 'notifications_test'::regclass`);
    const dumping = await dump();
    const upgraded = upgrade(INDEX, 200);
    await vi.waitFor(() => expect(console.log).toHaveBeenCalledWith(expect.stringContaining('A long transaction')), { timeout: 30_000 });
    await dumping.query('commit');
    await upgraded;
    expect(await isValid(client)).toEqual([{ indisvalid: true }]);
  });
});

test('an index on a column that the same version adds comes with the migration', async () => {
  await upgrade(`${COLUMN}--> statement-breakpoint\n${INDEX.replace('created_at', 'test')}`);
  expect(await isValid(await connect())).toEqual([{ indisvalid: true }]);
});

test('an index on a table with partitions comes with the migration', async () => {
  const parts = 'CREATE TABLE "parts" ("id" int) PARTITION BY RANGE ("id");';
  await upgrade(parts);
  await upgrade(
    `${parts.replace('TABLE', 'TABLE IF NOT EXISTS')}--> statement-breakpoint\nCREATE INDEX IF NOT EXISTS "parts_id" ON "parts" ("id");`,
    LONG,
    2,
  );
  expect((await (await connect()).query(`select to_regclass('parts_id') is not null as there`)).rows).toEqual([{ there: true }]);
});

test('requests go on while a migration waits for a long transaction', async () => {
  const [long, request] = [await connect(), await connect()];
  await long.query('begin');
  await long.query('select 1 from notifications');
  const upgraded = upgrade(COLUMN, 200);
  await vi.waitFor(() => expect(console.log).toHaveBeenCalledWith(expect.stringContaining('A long transaction')), { timeout: 30_000 });
  await request.query('select 1 from notifications');
  await long.query('commit');
  await upgraded;
  expect((await request.query('select test from notifications')).rows).toEqual([]);
});

test('a start that waits for another server ends when PostgreSQL stops answering', async () => {
  const proxy = await startTcpProxy({ port: Number(new URL(url).port) });
  onTestFinished(() => proxy.close());
  const other = await connect();
  await other.query('begin');
  await other.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  const address = new URL(url);
  address.port = String(proxy.port);
  const opened = openPostgres(address.href, { migrationsFolder, timeout: 2 });
  const refused = expect(opened).rejects.toThrow(new StartupError('DATABASE_URL: PostgreSQL does not answer.'));
  await vi.waitFor(() => expect(console.log).toHaveBeenCalledWith(expect.stringContaining('Waiting for it')), { timeout: 30_000 });
  proxy.freeze();
  await refused;
});
