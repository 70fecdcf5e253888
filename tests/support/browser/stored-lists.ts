/** Returns the keys of the coin lists on the device. Runs in the page. */
export async function storedLists(): Promise<IDBValidKey[]> {
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
