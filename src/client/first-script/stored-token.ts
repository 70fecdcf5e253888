import type { AccessClaims } from '#contract/account/tokens.ts';
import type { KeyRow, SessionRow } from '../platform/db/device-db.ts';
import { decrypt, importKey } from '../platform/session/aes.ts';
import { WINDOW_KEY } from '../platform/session/window-key.ts';
import { STORAGE_KEY } from '../platform/settings.ts';

/** An access token that expires within this many seconds is left to the app, which refreshes it. */
const MARGIN = 30;

/** Opens the device database without Dexie; undefined if there is none, because only the app creates it. */
function openDeviceDb(): Promise<IDBDatabase | undefined> {
  return new Promise((resolve) => {
    const opening = indexedDB.open('tidemark');
    opening.onupgradeneeded = () => opening.transaction?.abort();
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => resolve(undefined);
  });
}

/** Reads the sealed session and its key in one transaction. */
function readRows(db: IDBDatabase): Promise<{ session: SessionRow | undefined; key: KeyRow | undefined }> {
  return new Promise((resolve, reject) => {
    const reading = db.transaction(['session', 'keys']);
    const session: IDBRequest<SessionRow | undefined> = reading.objectStore('session').get('current');
    const key: IDBRequest<KeyRow | undefined> = reading.objectStore('keys').get('storage');
    reading.oncomplete = () => resolve({ session: session.result, key: key.result });
    reading.onabort = () => reject(reading.error);
  });
}

/** Decodes the claims for their times and ids, which are ASCII. */
function claimsOf(accessToken: string): Partial<AccessClaims> {
  const [, claims = ''] = accessToken.split('.');
  return JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')));
}

/**
 * Returns the access token of the stored session and its user; undefined when the app has to look closer: there is no
 * session, it belongs to another window, or its token is about to expire. Rejects when it does not decrypt.
 */
export async function storedToken(): Promise<{ accessToken: string; userId: string } | undefined> {
  const db = await openDeviceDb();
  if (!db) return undefined;
  // An open database would block its upgrade or deletion by another tab.
  const { session, key } = await readRows(db).finally(() => db.close());
  if (!session || (session.window !== null && session.window !== sessionStorage.getItem(WINDOW_KEY))) return undefined;
  const cipherKey = STORAGE_KEY ? await importKey(STORAGE_KEY) : key?.key;
  if (!cipherKey) return undefined;
  const { accessToken } = (await decrypt(cipherKey, session.sealed)) as { accessToken: string };
  const { sub, exp = 0 } = claimsOf(accessToken);
  return sub && exp - MARGIN > Date.now() / 1_000 ? { accessToken, userId: sub } : undefined;
}
