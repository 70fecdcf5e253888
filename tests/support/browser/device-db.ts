import { expect, type Page } from '@playwright/test';
import type { Table } from 'dexie';
import type { UserTables } from '#client/platform/db/user-db.ts';

/** Returns the keys of a store, of all databases of the page's origin that have it. Runs in the page. */
export function readKeys(name: string): Promise<IDBValidKey[]> {
  const keysOf = (database: string) =>
    new Promise<IDBValidKey[]>((resolve, reject) => {
      const opening = indexedDB.open(database);
      let isGone = false;
      opening.onupgradeneeded = () => {
        isGone = true; // a page has deleted it meanwhile, and the abort keeps it deleted
        opening.transaction?.abort();
      };
      opening.onerror = () => (isGone ? resolve([]) : reject(opening.error));
      opening.onsuccess = () => {
        const db = opening.result;
        if (db.objectStoreNames.contains(name)) {
          const reading = db.transaction(name).objectStore(name).getAllKeys();
          reading.onsuccess = () => resolve(reading.result);
        } else resolve([]);
        db.close();
      };
    });
  return indexedDB.databases().then(async (all) => (await Promise.all(all.map(({ name }) => keysOf(name ?? '')))).flat());
}

/** Returns the keys of the rows that the device has now. */
export const deviceKeys = (page: Page, store: string): Promise<IDBValidKey[]> => page.evaluate(readKeys, store);

/** Waits until the device has a row with such a key. The screen shows an answer before it is stored. */
export async function deviceHas(page: Page, store: string, key: RegExp): Promise<void> {
  await expect
    .poll(() => deviceKeys(page, store), { message: `the device has no ${key} in ${store}` })
    .toContainEqual(expect.stringMatching(key));
}

/** Reads stores of the user's database. Rejects with what the page shows if it is missing or lacks one of them. */
async function readRows(stores: readonly string[]) {
  const names = (await indexedDB.databases()).map(({ name = '' }) => name);
  const name = names.find((each) => each.startsWith('tidemark-user-'));
  const isMissing = (what: string) =>
    new Error(`${what}; databases: ${names.join(', ')}; ${location.href}: ${document.body.innerText.slice(0, 300)}`);
  if (name === undefined) throw isMissing('no database of a user');
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const db = await done(indexedDB.open(name));
  try {
    const missing = stores.filter((store) => !db.objectStoreNames.contains(store));
    if (missing.length > 0) throw isMissing(`${name}, version ${db.version}, has no ${missing.join(', ')}`);
    const reading = db.transaction(stores);
    return Object.fromEntries(await Promise.all(stores.map(async (store) => [store, await done(reading.objectStore(store).getAll())])));
  } finally {
    db.close();
  }
}

/** Returns the rows of stores of the user's database, as one transaction sees them. */
export const userRows = <Store extends keyof UserTables>(page: Page, ...stores: Store[]): Promise<UserRows<Store>> =>
  page.evaluate(readRows, stores) as Promise<UserRows<Store>>;

type UserRows<Store extends keyof UserTables> = {
  [Each in Store]: UserTables[Each] extends Table<infer Row, infer _Key, infer _New> ? Row[] : never;
};
