import Dexie, { type EntityTable } from 'dexie';

/** The sealed session. `window` ties it to one browser session (Remember Me unticked); null keeps it. */
export interface SessionRow {
  id: 'current';
  sealed: ArrayBuffer;
  window: string | null;
}

export interface KeyRow {
  id: 'storage';
  key: CryptoKey;
}

/** A user who signed out here, until their database is gone. */
export interface WipeRow {
  userId: string;
}

/** What belongs to the device and not to a user. Page and service worker share it. */
export const deviceDb = new Dexie('tidemark') as Dexie & {
  session: EntityTable<SessionRow, 'id'>;
  keys: EntityTable<KeyRow, 'id'>;
  wipes: EntityTable<WipeRow, 'userId'>;
};

deviceDb.version(1).stores({ session: 'id', keys: 'id' });
deviceDb.version(2).stores({ wipes: 'userId' });
