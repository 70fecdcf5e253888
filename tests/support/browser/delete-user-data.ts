/** Deletes the databases of all users. Run it in a page without the app, because an open database blocks its deletion. */
export async function deleteUserData(): Promise<void> {
  for (const { name = '' } of await indexedDB.databases()) {
    if (!name.startsWith('tidemark-user-')) continue;
    await new Promise((resolve, reject) => {
      const deletion = indexedDB.deleteDatabase(name);
      deletion.onsuccess = resolve;
      deletion.onerror = deletion.onblocked = () => reject(new Error(`${name} is still open`));
    });
  }
}
