import { awaitOpening, isInFactory } from './await-opening.ts';

/**
 * Opens a database without Dexie; undefined if there is none, because only the app creates it. Rejects if the browser
 * refuses. Close it soon: an open database blocks its upgrade or deletion by a tab.
 */
export function openExisting(name: string): Promise<IDBDatabase | undefined> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    if (!isInFactory) awaitOpening(opening);
    let isNew = false;
    opening.onupgradeneeded = () => {
      isNew = true;
      opening.transaction?.abort();
    };
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => (isNew ? resolve(undefined) : reject(opening.error));
  });
}
