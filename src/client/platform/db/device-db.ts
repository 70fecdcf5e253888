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

/** A sign-out that the server has not confirmed. It names no user, and opens nothing (contract/account/sessions, `endSessionBody`). */
export interface RevocationRow {
  sessionId: string;
  tokenHash: string;
  /** ms. */
  signedOutAt: number;
  /** The server was asked, and did not answer in time or was in trouble. */
  tried: boolean;
}

/** What belongs to the device and not to a user. Page and service worker share it. */
export const deviceDb = new Dexie('tidemark') as Dexie & {
  session: EntityTable<SessionRow, 'id'>;
  keys: EntityTable<KeyRow, 'id'>;
  wipes: EntityTable<WipeRow, 'userId'>;
  revocations: EntityTable<RevocationRow, 'sessionId'>;
};

deviceDb.version(1).stores({ session: 'id', keys: 'id' });
deviceDb.version(2).stores({ wipes: 'userId' });
deviceDb.version(3).stores({ revocations: 'sessionId' });
