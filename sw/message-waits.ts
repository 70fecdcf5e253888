import { USER_DB_PREFIX } from '../src/client/platform/db/db-names.ts';
import { openExisting } from '../src/client/platform/db/open-existing.ts';
import { CONTACTS } from '../src/client/platform/outbox/contact-triggers.ts';

/**
 * Returns whether an outbox on this device has a message to support. Reads IndexedDB without Dexie, and creates no
 * database.
 */
export async function messageWaits(): Promise<boolean> {
  // Firefox before 126 can't list databases.
  if (!('databases' in indexedDB)) return true;
  for (const { name } of await indexedDB.databases()) {
    if (name?.startsWith(USER_DB_PREFIX) && (await hasMessage(name))) return true;
  }
  return false;
}

async function hasMessage(name: string): Promise<boolean> {
  const db = await openExisting(name);
  if (!db) return false;
  // A page that deletes or upgrades the database does not wait.
  db.onversionchange = () => db.close();
  try {
    if (!db.objectStoreNames.contains('outbox')) return false;
    return (await resultOf(db.transaction('outbox').objectStore('outbox').index('lane').count(CONTACTS))) > 0;
  } finally {
    db.close();
  }
}

const resultOf = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
