import { DEVICE_DB } from './db-names.ts';
import type { KeyRow, SessionRow, WipeRow } from './device-db.ts';
import { openExisting } from './open-existing.ts';

interface DeviceRows {
  session: SessionRow | undefined;
  key: KeyRow | undefined;
  wipes: WipeRow[];
}

/** Reads what each start needs, in one transaction and without Dexie, which is a quarter of the code before the first row. */
export async function readDevice(): Promise<DeviceRows> {
  const db = await openExisting(DEVICE_DB);
  if (!db) return { session: undefined, key: undefined, wipes: [] };
  return readRows(db).finally(() => db.close());
}

function readRows(db: IDBDatabase): Promise<DeviceRows> {
  return new Promise((resolve, reject) => {
    // Databases of earlier versions have fewer stores.
    const stores = ['session', 'keys', 'wipes'].filter((name) => db.objectStoreNames.contains(name));
    const reading = db.transaction(stores);
    const session: IDBRequest<SessionRow | undefined> = reading.objectStore('session').get('current');
    const key: IDBRequest<KeyRow | undefined> = reading.objectStore('keys').get('storage');
    const wipes: IDBRequest<WipeRow[]> | undefined = stores.includes('wipes') ? reading.objectStore('wipes').getAll() : undefined;
    reading.oncomplete = () => resolve({ session: session.result, key: key.result, wipes: wipes?.result ?? [] });
    reading.onabort = () => reject(reading.error);
  });
}
