import net from 'node:net';
import { sql } from 'drizzle-orm';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Db, type OpenDb, openDb, type Tx } from '#server/db/open.ts';
import { users } from '#server/db/schema/users.ts';
import { together } from '#server/db/together.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/processes/tcp-proxy.ts';
import { onPostgres } from '#tests/support/server/on-postgres.ts';

let proxy: TcpProxy;
let opened: OpenDb;
let db: Db;
/** Address without the proxy. */
let directUrl: string;
/** What the database was sent, in its order. */
let sent: string[] = [];

onPostgres(
  async ({ url, port }) => {
    directUrl = url;
    proxy = await startTcpProxy({ port }, (piece) => sent.push(piece.toString('latin1')));
    const databaseUrl = url.replace(`:${port}`, `:${proxy.port}`);
    opened = await openDb({ databaseUrl, dataDir: '', databasePool: 1 });
    db = opened.db;
    await db.execute(sql`select 1`);
  },
  async () => {
    await opened?.close();
    await proxy?.close();
  },
);

beforeEach(() => {
  sent = [];
});

const read = (tx: Tx, value: string) => tx.execute(sql`select ${value}::text as value`) as unknown as Promise<{ rows: unknown[] }>;
const addUser = (tx: Tx, name: string) =>
  tx.insert(users).values({ email: `${name}@example.com`, firstName: name, lastName: '', passwordHash: '' });
const countUsers = () => db.$count(users);
const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error) => error.cause.code,
  );

test('begin is sent with the first statement', async () => {
  const found = await db.transaction(async (tx) => [await read(tx, 'a'), await read(tx, 'b')]);
  expect(found.map(({ rows }) => rows)).toEqual([[{ value: 'a' }], [{ value: 'b' }]]);
  expect(sent).toEqual([
    expect.stringMatching(/begin.*select/s),
    expect.not.stringMatching(/begin|commit/),
    expect.stringContaining('commit'),
  ]);
});

test('statements that run together are sent together, and each has its own result', async () => {
  const writes: net.Socket[] = [];
  for (const name of ['_write', '_writev'] as const) {
    const write = net.Socket.prototype[name] as (...args: unknown[]) => void;
    vi.spyOn(net.Socket.prototype, name).mockImplementation(function (this: net.Socket, ...args: unknown[]) {
      if (this.remotePort === proxy.port) writes.push(this);
      write.apply(this, args);
    });
  }
  onTestFinished(() => void vi.restoreAllMocks());
  const found = await db.transaction(async (tx) => {
    await read(tx, 'a');
    return together(read(tx, 'b'), undefined, read(tx, 'c'), read(tx, 'd'));
  });
  expect(found.map((each) => each?.rows)).toEqual([[{ value: 'b' }], undefined, [{ value: 'c' }], [{ value: 'd' }]]);
  expect([writes.length, sent.length]).toEqual([3, 3]);
});

test('a transaction without statements sends nothing', async () => {
  expect(await db.transaction(async () => 'done')).toBe('done');
  await expect(db.transaction(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(sent).toEqual([]);
});

test('a first statement without values has begun too', async () => {
  const [first, second] = await db.transaction(async (tx) => {
    const now = () => tx.execute(sql`select now()::text as now`) as unknown as Promise<{ rows: unknown[] }>;
    return [await now(), await now()];
  });
  expect(first?.rows).toEqual(second?.rows);
});

const WRONG = { isolationLevel: 'unheard of' as 'serializable' };
test.each<[string, (tx: Tx) => Promise<unknown>]>([
  ['with values', (tx) => addUser(tx, 'Ada')],
  ['that run together', (tx) => together(addUser(tx, 'Ada'), addUser(tx, 'Eve'))],
  ['that do not wait for each other', (tx) => Promise.all([addUser(tx, 'Ada'), addUser(tx, 'Eve')])],
  [
    'without values',
    (tx) =>
      together(
        tx.execute(sql`insert into users (email, first_name, last_name, password_hash) values ('a', 'b', 'c', 'd')`) as Promise<unknown>,
        addUser(tx, 'Eve'),
      ),
  ],
])('statements %s do not run when begin fails', async (_, work) => {
  expect(await failure(db.transaction(work, WRONG))).toBe('42601');
  expect(await countUsers()).toBe(0);
});

test('nothing of a transaction stays when its first statement fails', async () => {
  const missing = (tx: Tx) => tx.execute(sql`select * from missing where id = ${1}`) as Promise<unknown>;
  const addAfter = async (tx: Tx) => {
    await missing(tx).catch(() => undefined);
    await addUser(tx, 'Ada');
  };
  expect(await failure(db.transaction(missing))).toBe('42P01');
  expect(await failure(db.transaction(missing))).toBe('42P01');
  expect(await failure(db.transaction((tx) => together(missing(tx), addUser(tx, 'Ada'))))).toBe('42P01');
  expect(await failure(db.transaction(addAfter))).toBe('25P02');
  expect(await countUsers()).toBe(0);
});

test('a transaction that does not wait for its first statement ends nevertheless', async () => {
  const early = db.transaction(async (tx) => {
    const failing = tx.execute(sql`select 1 / 0 from pg_sleep(${0.1}::float8)`) as Promise<unknown>;
    failing.then(undefined, () => undefined);
    await new Promise(setImmediate);
    throw new Error('early');
  });
  await expect(early).rejects.toThrow('early');
  expect(await countUsers()).toBe(0);
});

test('a name is kept for a first statement whose text PostgreSQL has taken, and only then', async () => {
  const wait = (tx: Tx) => tx.execute(sql`select ${1}::int as waited from users`) as Promise<unknown>;
  const known = async () => {
    const { rows } = (await db.execute(sql`select name from pg_prepared_statements where statement like '%waited%' and name <> ''`)) as {
      rows: unknown[];
    };
    return rows.length;
  };
  const holder = await openDb({ databaseUrl: directUrl, dataDir: '', databasePool: 1 });
  await holder.db.transaction(async (tx) => {
    await tx.execute(sql`lock table users in access exclusive mode`);
    await db.execute(sql`set lock_timeout = 100`);
    expect(await failure(db.transaction(wait))).toBe('55P03');
  });
  await holder.close();
  expect(await known()).toBe(0);
  await db.transaction(wait);
  expect(await known()).toBe(1);
});
