/** Replaces the rows of stores in the signed-in user's database. Runs in a page without the app, as text: it may use nothing from outside. */
export async function fillDevice(rows: Record<string, object[]>): Promise<void> {
  const name = (await indexedDB.databases()).map((database) => database.name ?? '').find((each) => each.startsWith('tidemark-user-'));
  if (!name) throw new Error('no user is signed in');
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open(name);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  await new Promise<void>((resolve, reject) => {
    const change = database.transaction(Object.keys(rows), 'readwrite');
    for (const [name, added] of Object.entries(rows)) {
      const store = change.objectStore(name);
      store.clear();
      for (const row of added) store.put(row);
    }
    change.oncomplete = () => resolve();
    change.onerror = () => reject(change.error);
  });
  database.close();
}
