import { afterAll, afterEach, expect, it } from 'vitest';
import { deviceDb } from '#client/platform/db/device-db.ts';
import { endTransactionsWithPage } from '#client/platform/db/end-transactions.ts';
import { deleteUserDb, userDb } from '#client/platform/db/user-db.ts';

const USER = 'leaves';
const leave = () => window.dispatchEvent(new Event('pagehide'));
const picture = (path: string) => ({ path, type: 'image/png', bytes: new ArrayBuffer(1) });

function inBrowserOf(vendor: string) {
  Object.defineProperty(navigator, 'vendor', { value: vendor, configurable: true });
  endTransactionsWithPage();
}

afterEach(async () => {
  await deviceDb.wipes.clear();
  await deleteUserDb(USER);
});

const { open, deleteDatabase } = IDBFactory.prototype;
const { transaction } = IDBDatabase.prototype;
afterAll(() => {
  Object.assign(IDBFactory.prototype, { open, deleteDatabase });
  IDBDatabase.prototype.transaction = transaction;
});

// Keep this order: the WebKit patch cannot be undone.
it('lets other browsers finish open transactions on pagehide', async () => {
  inBrowserOf('Google Inc.');
  const db = userDb(USER);
  await db.open();
  const writing = db.images.put(picture('/begun'));
  leave();
  await writing;
  expect(db.isOpen()).toBe(true);
  expect(await db.images.count()).toBe(1);
});

it('aborts open transactions when a page is frozen, and works again when the page returns', async () => {
  inBrowserOf('Google Inc.');
  const db = userDb(USER);
  await db.open();
  const writing = db.transaction('rw', db.images, async () => {
    await db.images.put(picture('/begun'));
    document.dispatchEvent(new Event('freeze'));
    await db.images.put(picture('/more'));
  });
  await expect(writing).rejects.toThrow();

  await db.images.put(picture('/back'));
  expect(await db.images.toCollection().primaryKeys()).toEqual(['/back']);
});

it('aborts open transactions on pagehide in WebKit, and works again when the page returns', async () => {
  inBrowserOf('Apple Computer, Inc.');
  const db = userDb(USER);
  await Promise.all([db.open(), deviceDb.open()]);
  const writing = db.transaction('rw', db.images, async () => {
    await db.images.put(picture('/begun'));
    leave();
    expect([db.isOpen(), deviceDb.isOpen()]).toEqual([false, false]);
    await db.images.put(picture('/more'));
  });
  await expect(writing).rejects.toThrow();

  await db.images.put(picture('/back'));
  await deviceDb.wipes.put({ userId: 'someone' });
  expect(await db.images.toCollection().primaryKeys()).toEqual(['/back']);
});

it('abandons a database that is still being created', async () => {
  const request = indexedDB.open('being-made', 1);
  const ended = new Promise((resolve) => {
    request.onupgradeneeded = () => leave();
    request.onerror = () => resolve('given up');
    request.onsuccess = () => resolve('made');
  });
  expect(await ended).toBe('given up');
});
