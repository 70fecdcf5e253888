import { getTableName, lt, sql } from 'drizzle-orm';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { openDb } from '#server/db/open.ts';
import { codes } from '#server/db/schema/codes.ts';
import { cleanupMarks } from '#server/db/schema/operations.ts';
import { refreshTokens } from '#server/db/schema/sessions.ts';
import { readTimeMark } from '#server/housekeeping/marks.ts';
import { tablesOfSchema } from '#tests/support/server/fill-tables.ts';
import { onPostgres, sharedEnv } from '#tests/support/server/on-postgres.ts';
import { startServer } from '#tests/support/server/server.ts';
import { exerciseServer } from '#tests/support/statements/exercise-server.ts';
import { type Explained, explainAll } from '#tests/support/statements/explain.ts';
import { fillAtScale, SMALL } from '#tests/support/statements/fill-at-scale.ts';
import { SMALL_TABLES } from '#tests/support/statements/small-tables.ts';

/** Holds the bots that are not at rest: what reads it whole reads bots with work. */
const AT_WORK = /on bots_at_work$/;
/** The batch update of bots names each by its id; for a table this small, a merge by the primary key is cheaper. */
const BOT_UPDATES = /^\s*update "bots" set "status" = changes\./;
/** Rows of a page of the export, and some that it skips. A user of this test has more messages, and all bots more entries. */
const EXPORT_PAGE = 250;
/** Rows that a statement of this test may read without an index. */
const MOST = 1_000;

const tables = await tablesOfSchema();
/** Rows of each table before the server starts. */
const filled = new Map<string, number>();
let explained: Explained[] = [];
let databaseUrl = '';

onPostgres(
  async ({ url }) => {
    databaseUrl = url;
    const { db, queue, close } = await openDb({ databaseUrl: url, dataDir: '' });
    // No cleanup is due: its rows must be there for the plans.
    await db.execute(`insert into cleanup_marks select 'cleanup', (extract(epoch from now()) * 1000)::text`);
    const owner = await fillAtScale({ db, queue }, SMALL);
    for (const table of tables) filled.set(getTableName(table), await db.$count(table));
    filled.set('boss.job', await db.$count(sql`boss.job`));
    await close();
    const statements = await exerciseServer(url, owner);
    explained = await explainAll(url, statements, { most: MOST, preferIndexes: true });
  },
  async () => undefined,
);

test('every table has enough rows for a scan to show, or is small for a stated reason', () => {
  const small = [...filled].filter(([, rows]) => rows <= MOST).map(([name]) => name);
  expect(small.sort()).toEqual(Object.keys(SMALL_TABLES).sort());
});

test('no statement of a user’s path or of periodic work reads all of a table that grows', () => {
  expect(explained.length).toBeGreaterThan(150);
  const named = explained.filter(({ text }) => !BOT_UPDATES.test(text));
  const whole = named.map(({ text, scans }) => [text, scans.filter((scan) => !AT_WORK.test(scan))] as const);
  expect(whole.filter(([, scans]) => scans.length > 0)).toEqual([]);
});

test('no statement compares a column with itself, as one whose columns lost their tables would', () => {
  const same = /("\w+"(?:\."\w+")?) = \1(?![\w."])/;
  expect(explained.filter(({ text }) => same.test(text)).map(({ text }) => text)).toEqual([]);
});

test('PostgreSQL compiles no statement, which takes it longer than to run one', () => {
  expect(explained.filter(({ isCompiled }) => isCompiled).map(({ text }) => text)).toEqual([]);
});

test('archives and messages of a user with thousands are read by index alone', () => {
  const reads = explained.filter(({ text }) => /^select\b.*\bfrom "(archives|chats)"/s.test(text));
  expect(reads.length).toBeGreaterThan(8);
  for (const { text, nodes } of reads) {
    const ofTheirs = nodes.filter((node) => /(archives|chats)/.test(node));
    expect(ofTheirs.length, text).toBeGreaterThan(0);
    expect(
      ofTheirs.filter((node) => node.startsWith('Seq Scan')),
      text,
    ).toEqual([]);
  }
});

test('a page of the export reads its own rows alone, however much its user has', () => {
  const pages = explained.filter(({ text }) => /^select\b.*json_build_array/s.test(text));
  expect(pages.length).toBeGreaterThan(10);
  expect(pages.filter(({ mostRead }) => mostRead > EXPORT_PAGE).map(({ text, mostRead }) => [text, mostRead])).toEqual([]);
});

test('a start does not wait for the cleanup of thousands of expired rows', { timeout: 180_000 }, async () => {
  const { db, close } = await openDb({ databaseUrl, dataDir: '' });
  await db.delete(cleanupMarks);
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  await holder.query('begin; lock table codes in share mode');
  const server = await startServer({ env: sharedEnv(databaseUrl) });
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  const isExpired = lt(codes.expiresAt, sql`now() - interval '1 day'`);
  expect(await db.$count(codes, isExpired)).toBeGreaterThan(0);
  await holder.end();
  await vi.waitFor(async () => expect(await readTimeMark(db, 'cleanup', Date.now())).toBeDefined(), { timeout: 120_000 });
  expect(await db.$count(codes, isExpired)).toBe(0);
  expect(await db.$count(refreshTokens, lt(refreshTokens.expiresAt, sql`now()`))).toBe(0);
  await server.close();
  await close();
});
