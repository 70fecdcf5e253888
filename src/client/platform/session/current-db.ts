import { runOnce } from '#domain/run-once.ts';
import type { UserDb } from '../db/user-db.ts';
import { currentUserId } from './session.ts';

/** The user has signed out while their database was about to open. */
export class SignedOutError extends Error {}

let held: Promise<void> | undefined;
let release = () => {};

/**
 * Keeps Dexie from loading until `releaseDb`. For a start on a device without data of the user: the first screen comes
 * from the network, and its code would compete with the answer.
 */
export function holdDb(): void {
  held = new Promise((resolve) => {
    release = resolve;
  });
}

export const releaseDb = (): void => release();

/** A dynamic import of loaded code waits for a task of its own; the kept promise does not. */
const loadUserDb = runOnce(() => import('../db/user-db.ts'));

/** Loads Dexie and returns the user's database. Throws SignedOutError if the user has signed out meanwhile. */
export async function currentDb(userId: string): Promise<UserDb> {
  await held;
  const { userDb } = await loadUserDb();
  if (currentUserId() !== userId) throw new SignedOutError();
  return userDb(userId);
}
