import Dexie, { type EntityTable } from 'dexie';
import { DEVICE_DB } from './db-names.ts';
import { openDbs } from './open-dbs.ts';

/** The sealed session. `window` ties it to one browser session if the user did not tick Remember Me; else null. */
export interface SessionRow {
  id: 'current';
  sealed: ArrayBuffer;
  window: string | null;
  /** The server's id of the session; missing in rows of earlier versions. A stored screen belongs to one session. */
  sessionId?: string;
}

/** The first screenful of a page as HTML, which the worker shows until the app has started. */
export interface ScreenRow {
  /** Path and search of the page. */
  address: string;
  sessionId: string;
  /** Path of the main script: another build has other styles and markup. */
  build: string;
  theme: string;
  width: string;
  zone: string;
  html: string;
  /** ms. */
  savedAt: number;
}

export interface KeyRow {
  id: 'storage';
  key: CryptoKey;
}

/** A signed-out user whose database is not deleted yet. */
export interface WipeRow {
  userId: string;
}

/** A sign-out that the server has not confirmed. It contains no user id, and its hash gives no access. */
export interface RevocationRow {
  sessionId: string;
  tokenHash: string;
  /** ms. */
  signedOutAt: number;
  /** An attempt has failed: the server did not answer in time or had an error. */
  tried: boolean;
}

/** The tables of the device's database, or of a transaction of it. */
export interface DeviceTables {
  session: EntityTable<SessionRow, 'id'>;
  keys: EntityTable<KeyRow, 'id'>;
  wipes: EntityTable<WipeRow, 'userId'>;
  revocations: EntityTable<RevocationRow, 'sessionId'>;
  screens: EntityTable<ScreenRow, 'address'>;
}

/** Data of the device, not of a user. Page and service worker share it. */
export const deviceDb = new Dexie(DEVICE_DB) as Dexie & DeviceTables;

// Only the latest version, as in user-db.ts.
deviceDb.version(4).stores({ session: 'id', keys: 'id', wipes: 'userId', revocations: 'sessionId', screens: 'address' });
openDbs.set(deviceDb.name, deviceDb);
