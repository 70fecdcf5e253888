import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Db, type OpenDb, openDb } from '#server/db/open.ts';
import { users } from '#server/db/schema/users.ts';
import { onPostgres } from '#tests/support/server/on-postgres.ts';

let databaseUrl: string;
let db: Db;

/** Opens the database again, because names end where PostgreSQL has refused a plan. */
async function open(): Promise<OpenDb> {
  const opened = await openDb({ databaseUrl, dataDir: '', databasePool: 2 });
  db = opened.db;
  return opened;
}

onPostgres(
  async ({ url }) => {
    databaseUrl = url;
    const { close } = await open();
    await db.insert(users).values({ id: ID, email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', passwordHash: '' });
    await close();
  },
  async () => undefined,
);

beforeEach(async () => {
  if (!databaseUrl) return;
  const { close } = await open();
  onTestFinished(close);
});

const ID = '00000000-0000-4000-8000-000000000001';

/** Reads Ada's name. `as` is part of the statement's text, so each test has statements of its own. */
const read = (as: string, on: Pick<Db, 'execute'>) =>
  on.execute(sql`select first_name as ${sql.identifier(as)} from users where id = ${ID}`) as unknown as Promise<{ rows: unknown[] }>;

const WAYS = {
  'a statement': (as: string) => read(as, db),
  'a transaction': (as: string) =>
    db.transaction(async (tx) => {
      await read(`first ${as}`, tx);
      return read(as, tx);
    }),
};

/** Lets both connections of the pool keep the plans of a transaction. */
const readOnBoth = (as: string) => Promise.all(Array.from({ length: 20 }, () => WAYS['a transaction'](as)));

test('PostgreSQL keeps the plan of a statement that a connection has run', async () => {
  const kept = await db.transaction(async (tx) => {
    for (let turn = 0; turn < 3; turn++) await read('thrice', tx);
    return tx.execute(sql`select generic_plans + custom_plans as plans from pg_prepared_statements where statement like '%"thrice"%'`);
  });
  expect(kept).toMatchObject({ rows: [{ plans: '3' }] });
});

describe.each(Object.entries(WAYS))('%s', (way, run) => {
  test('is answered when a column has changed its type since its plan was made', async () => {
    const as = `changed, ${way}`;
    await readOnBoth(as);
    await db.execute(sql.raw(`alter table users alter column first_name type varchar(${100 + way.length})`));
    for (let turn = 0; turn < 3; turn++) expect((await run(as)).rows).toEqual([{ [as]: 'Ada' }]);
  });

  test('is answered when its connection has lost its plan', async () => {
    const as = `lost, ${way}`;
    await readOnBoth(as);
    await Promise.all([1, 2].map(() => db.transaction((tx) => tx.execute(sql`select pg_sleep(0.2); deallocate all`))));
    for (let turn = 0; turn < 3; turn++) expect((await run(as)).rows).toEqual([{ [as]: 'Ada' }]);
  });
});
