import { beforeEach, describe, expect, it } from 'vitest';
import { transact } from '#client/platform/db/transact.ts';
import { type UserDb, type UserTables, userDb } from '#client/platform/db/user-db.ts';

let db: UserDb;
beforeEach(() => {
  db = userDb(crypto.randomUUID());
});

/** Reads at the end of so many functions that await each other. */
async function readBelow(depth: number, tables: UserTables): Promise<number> {
  return depth === 0 ? tables.stamps.count() : await readBelow(depth - 1, tables);
}

const stampsOf = async () => (await db.stamps.toArray()).map(({ key }) => key);

describe('transact', () => {
  it.each([0, 1, 2, 5, 20])('keeps its transaction below %i functions that await', async (depth) => {
    const done = transact(db, [db.stamps], async (tables) => {
      await readBelow(depth, tables);
      await tables.stamps.put({ key: 'one', savedAt: 1 });
      await readBelow(depth, tables);
      await tables.stamps.put({ key: 'two', savedAt: 2 });
      return readBelow(depth, tables);
    });
    expect(await done).toBe(2);
    expect(await stampsOf()).toEqual(['one', 'two']);
  });

  it('changes nothing when it fails late', async () => {
    const failed = transact(db, [db.stamps], async (tables) => {
      await readBelow(5, tables);
      await tables.stamps.put({ key: 'one', savedAt: 1 });
      await readBelow(5, tables);
      throw new Error('no space');
    });
    await expect(failed).rejects.toThrow('no space');
    expect(await stampsOf()).toEqual([]);
  });

  it('joins the transaction whose tables it gets', async () => {
    const failed = transact(db, [db.stamps], async (tables) => {
      await readBelow(5, tables);
      await transact(tables, [tables.stamps], async (same) => {
        await readBelow(5, same);
        await same.stamps.put({ key: 'one', savedAt: 1 });
      });
      expect(await tables.stamps.count()).toBe(1);
      throw new Error('no space');
    });
    await expect(failed).rejects.toThrow('no space');
    expect(await stampsOf()).toEqual([]);
  });

  it('refuses a use of the tables of the database, so that a test finds it', async () => {
    const lost = transact(db, [db.stamps], async () => {
      await readBelow(2, db);
      await db.stamps.put({ key: 'one', savedAt: 1 });
    });
    await expect(lost).rejects.toThrow('Transaction committed too early');
  });
});
