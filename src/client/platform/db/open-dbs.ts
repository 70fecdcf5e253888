import type { Dexie } from 'dexie';
import { userDbName } from './db-names.ts';

/** The databases that Dexie has made in this tab, by name. Without Dexie's code, which the first screen may not need. */
export const openDbs = new Map<string, Dexie>();

/** Closes a user's database, so that this tab does not block its deletion in another tab. */
export function closeUserDb(userId: string) {
  openDbs.get(userDbName(userId))?.close();
  openDbs.delete(userDbName(userId));
}

/** Closes all databases. Each opens again on its next use. */
export function pauseDbs() {
  for (const db of openDbs.values()) if (db.isOpen()) db.close({ disableAutoOpen: false });
}

/** Returns whether the device has data of the user. Browsers that cannot tell count as if it had. */
export async function hasUserDb(userId: string): Promise<boolean> {
  try {
    return (await indexedDB.databases()).some(({ name }) => name === userDbName(userId));
  } catch {
    return true;
  }
}
