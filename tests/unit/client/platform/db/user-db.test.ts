import { readdirSync, readFileSync } from 'node:fs';
import Dexie from 'dexie';
import { describe, expect, it } from 'vitest';
import { deleteUserDb, userDb } from '#client/platform/db/user-db.ts';

interface Fixture {
  version: number;
  stores: Record<string, string>;
  rows: Record<string, object[]>;
}

const folder = 'tests/fixtures/user-db';
/** The stores of every released version, with rows as it wrote them. */
const fixtures = readdirSync(folder).map((file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as Fixture);

describe.each(fixtures)('a device with a database of version $version', ({ version, stores, rows }) => {
  it('keeps all rows and stores new ones', async () => {
    const userId = `from-version-${version}`;
    const old = new Dexie(`tidemark-user-${userId}`);
    old.version(version).stores(stores);
    for (const [table, kept] of Object.entries(rows)) await old.table(table).bulkAdd(kept);
    old.close();

    const db = userDb(userId);
    for (const [table, kept] of Object.entries(rows)) expect(await db.table(table).toArray(), table).toMatchObject(kept);
    await db.images.put({ path: '/picture', type: 'image/webp', bytes: new ArrayBuffer(1) });
    expect(await db.images.count()).toBe(1);
    expect(await db.bots.orderBy('created_at').toArray()).toEqual([]);
    expect(await db.messages.where('chat_status').equals('none of these').count()).toBe(0);
    await deleteUserDb(userId);
  });
});
