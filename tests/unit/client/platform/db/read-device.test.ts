import { Dexie } from 'dexie';
import { expect, it } from 'vitest';
import { deviceDb } from '#client/platform/db/device-db.ts';
import { readDevice } from '#client/platform/db/read-device.ts';

const names = async () => (await indexedDB.databases()).map(({ name }) => name);

it('reads nothing from a device without a database, and creates none', async () => {
  expect(await readDevice()).toEqual({ session: undefined, key: undefined, wipes: [] });
  expect(await names()).not.toContain('tidemark');
});

it('reads the database of the first version, which Dexie then upgrades with its rows', async () => {
  const first = new Dexie('tidemark');
  first.version(1).stores({ session: 'id', keys: 'id' });
  const session = { id: 'current', sealed: new ArrayBuffer(1), window: null };
  await first.table('session').put(session);
  first.close();
  expect(await readDevice()).toEqual({ session, key: undefined, wipes: [] });
  expect(await deviceDb.screens.count()).toBe(0);
  expect(await deviceDb.session.toArray()).toEqual([session]);
});
