import { readdirSync, readFileSync } from 'node:fs';
import Dexie from 'dexie';
import { describe, expect, it } from 'vitest';
import { deleteUserDb, userDb } from '#client/platform/db/user-db.ts';
import { DAY } from '#domain/clock.ts';

interface Fixture {
  version: number;
  stores: Record<string, string>;
  rows: Record<string, object[]>;
}

const folder = 'tests/fixtures/user-db';
/** The stores of every released version, with rows as it wrote them. */
const fixtures = readdirSync(folder).map((file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as Fixture);

it('keeps daily candles of version 8 under their key of today', async () => {
  const old = new Dexie('tidemark-user-candles');
  old.version(8).stores({ candles: 'id', stamps: 'key' });
  const candle = { time: Date.UTC(2026, 0, 2), open: 1, high: 2, low: 1, close: 2, volume: null };
  await old.table('candles').bulkAdd([
    { id: 1, source: 'Binance', candles: [candle] },
    { id: 2, source: 'Empty', candles: [] },
  ]);
  await old.table('stamps').add({ key: 'candles/1', savedAt: 1 });
  old.close();

  const db = userDb('candles');
  expect(await db.candles.toArray()).toEqual([
    { id: 'candles/1/ALL', source: 'Binance', candles: [candle], interval: DAY, demo: false, asOf: '2026-01-02T00:00:00.000Z' },
  ]);
  expect(await db.stamps.count()).toBe(0);
  await deleteUserDb('candles');
});

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
