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

/** Waits until the device has a row with such a key. The screen shows an answer before it is stored. */
export async function deviceHas(page: Page, store: string, key: RegExp): Promise<void> {
  const keys = () => page.evaluate(readKeys, store);
  await expect.poll(keys, { message: `the device has no ${key} in ${store}` }).toContainEqual(expect.stringMatching(key));
}
