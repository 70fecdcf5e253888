import { expect, type Page } from '@playwright/test';

/** Returns the keys of a store, of all databases of the page's origin that have it. */
function readKeys(name: string): Promise<IDBValidKey[]> {
  const keysOf = (database: string) =>
    new Promise<IDBValidKey[]>((resolve, reject) => {
      const opening = indexedDB.open(database);
      opening.onerror = () => reject(opening.error);
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
