import { expect, type Page } from '@playwright/test';

/** Waits until the market list is on the device: it shows before. */
export const listStored = (page: Page) => expect.poll(() => page.evaluate(storedLists)).toContain('coins/USD/1/100');

/** Returns the keys of the coin lists on the device. Runs in the page. */
async function storedLists(): Promise<IDBValidKey[]> {
  const [found] = (await indexedDB.databases()).filter(({ name }) => name?.startsWith('tidemark-user-'));
  if (!found?.name) return [];
  const { name } = found;
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const db = opening.result;
      const keys = db.transaction('coinLists').objectStore('coinLists').getAllKeys();
      keys.onsuccess = () => {
        db.close();
        resolve(keys.result);
      };
    };
  });
}
