import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { keepPlans } from '#server/db/embedded/keep-plans.ts';
import { createStatementNames } from '#server/db/statement-names.ts';

let db: PGlite;

beforeAll(async () => {
  db = await PGlite.create();
  keepPlans(db);
  await db.exec('create table chats (id int primary key, words text, seen timestamptz)');
});

beforeEach(() => db.exec('truncate chats').then(() => undefined));

afterAll(() => db.close());

const INSERT = 'insert into chats (id, words, seen) values ($1, $2, $3)';
const READ = 'select id, words, seen from chats where id = $1';
const read = async (id: number, on: Pick<PGlite, 'query'> = db) => (await on.query(READ, [id])).rows;
const write = (id: number, words: string | null, on: Pick<PGlite, 'query'> = db) => on.query(INSERT, [id, words, new Date(0)]);

async function countPlans(text: string): Promise<number> {
  const { rows } = await db.query<{ plans: number }>(
    `select (generic_plans + custom_plans)::int as plans from pg_prepared_statements where statement = '${text}'`,
  );
  return rows[0]?.plans ?? 0;
}

test('plans of statements are kept, and their answers are as before', async () => {
  const before = [await countPlans(INSERT), await countPlans(READ)] as const;
  for (const id of [1, 2, 3]) await write(id, `word ${id}`);
  expect([await read(2), await read(3), await read(4)]).toEqual([
    [{ id: 2, words: 'word 2', seen: new Date(0) }],
    [{ id: 3, words: 'word 3', seen: new Date(0) }],
    [],
  ]);
  expect([await countPlans(INSERT), await countPlans(READ)]).toEqual([before[0] + 3, before[1] + 3]);
});

test('values of any size and kind arrive', async () => {
  const words = ['', 'ü 🦀 \u2028', 'x'.repeat(100_000)];
  for (const [id, text] of words.entries()) await write(id, text);
  await write(9, null);
  for (const [id, text] of words.entries()) expect(await read(id)).toMatchObject([{ words: text }]);
  expect(await read(9)).toMatchObject([{ words: null }]);
});

test('a statement goes on after it failed', async () => {
  await write(1, 'one');
  await expect(write(1, 'again')).rejects.toThrow('duplicate key');
  await expect(db.query(INSERT, ['no number', '', new Date(0)])).rejects.toThrow();
  await write(2, 'two');
  expect(await read(2)).toMatchObject([{ words: 'two' }]);
});

test('a transaction that fails leaves the plans of before and of after it usable', async () => {
  await read(1);
  const failing = db.transaction(async (tx) => {
    await write(1, 'one', tx);
    await expect(write(1, 'again', tx)).rejects.toThrow('duplicate key');
    await expect(read(1, tx)).rejects.toThrow('aborted');
    await expect(tx.query('select words from chats where words = $1', ['one'])).rejects.toThrow('aborted');
    await read(1, tx);
  });
  await expect(failing).rejects.toThrow('aborted');
  await db.transaction((tx) => write(1, 'one', tx));
  expect(await read(1)).toMatchObject([{ words: 'one' }]);
  expect((await db.query('select words from chats where words = $1', ['one'])).rows).toEqual([{ words: 'one' }]);
});

test('statements of many callers at once do not mix', async () => {
  await Promise.all(Array.from({ length: 50 }, (_, id) => (id % 2 ? write(id, `${id}`) : db.transaction((tx) => write(id, `${id}`, tx)))));
  const found = await Promise.all(Array.from({ length: 50 }, (_, id) => read(id)));
  expect(found.map(([row]) => (row as { words: string }).words)).toEqual(Array.from({ length: 50 }, (_, id) => `${id}`));
});

test('after a column has changed its type, one call fails at most', async () => {
  const changed = await PGlite.create();
  onTestFinished(() => changed.close());
  keepPlans(changed);
  await changed.exec('create table notes (id int, words text)');
  await changed.query('insert into notes values ($1, $2)', [1, 'one']);
  const reads = ['select words from notes where id = $1', 'select id, words from notes where id = $1'];
  const readAll = () => Promise.allSettled(reads.map((text) => changed.query(text, [1])));
  await readAll();
  await changed.exec('alter table notes alter column words type varchar(50)');
  const statuses = [...(await readAll()), ...(await readAll())].map(({ status }) => status);
  expect(statuses.slice(1)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
});

test('a plan that was made for a small table is not kept for a large one', async () => {
  await db.exec(`insert into chats select n, 'word' from generate_series(1, 3) n`);
  await db.exec('vacuum analyze chats');
  for (let turn = 0; turn < 8; turn++) await read(1);
  const planOf = async () => JSON.stringify(await db.exec(`explain execute "${createStatementNames().nameOf(READ)}"(1)`));
  expect(await planOf()).toContain('Seq Scan');
  await db.exec(`insert into chats select n, 'word' from generate_series(4, 50000) n`);
  expect(await planOf()).toContain('Seq Scan');
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 60_001);
  await read(1);
  vi.restoreAllMocks();
  expect(await planOf()).toContain('Index Scan');
});
