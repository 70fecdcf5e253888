import Dexie from 'dexie';
import { afterEach, expect, it, vi } from 'vitest';
import { deleteUserDb, userDb } from '#client/platform/db/user-db.ts';
import { messageWaits } from '#sw/message-waits.ts';

const USERS = ['ada', 'grace'];
const command = (lane: string) => ({ id: lane, lane, body: {}, createdAt: 1, attempts: 0, state: 'waiting' as const });
const databases = async () => (await indexedDB.databases()).map(({ name }) => name).sort();

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(USERS.map(deleteUserDb));
  await Dexie.delete('tidemark-user-empty');
});

it('finds a message of any user', async () => {
  expect(await messageWaits()).toBe(false);
  for (const user of USERS) await userDb(user).open();
  expect(await messageWaits()).toBe(false);
  await userDb('grace').outbox.add(command('contacts'));
  expect(await messageWaits()).toBe(true);
});

it('ignores other commands', async () => {
  await userDb('ada').outbox.add(command('archives'));
  expect(await messageWaits()).toBe(false);
});

it('creates no database, not even one that is deleted after it was listed', async () => {
  await userDb('ada').open();
  const before = await databases();
  vi.spyOn(indexedDB, 'databases').mockResolvedValue([{ name: 'tidemark-user-gone', version: 60 }]);
  expect(await messageWaits()).toBe(false);
  vi.restoreAllMocks();
  expect(await databases()).toEqual(before);
});

it('ignores a database without tables', async () => {
  await new Promise((resolve) => {
    const opening = indexedDB.open('tidemark-user-empty');
    opening.onsuccess = () => resolve(opening.result.close());
  });
  expect(await messageWaits()).toBe(false);
});

it('holds up no deletion and keeps no connection', async () => {
  await userDb('ada').outbox.add(command('contacts'));
  const waits = messageWaits();
  await deleteUserDb('ada');
  await expect(waits).resolves.toBeTypeOf('boolean');
  expect(await Dexie.exists('tidemark-user-ada')).toBe(false);
});

it('assumes a message where the browser cannot list databases', async () => {
  vi.stubGlobal('indexedDB', {});
  expect(await messageWaits()).toBe(true);
  vi.unstubAllGlobals();
});
