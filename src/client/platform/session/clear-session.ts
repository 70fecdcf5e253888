import type { Tokens } from '#contract/account/tokens.ts';
import { type DeviceTables, deviceDb, type KeyRow, type SessionRow } from '../db/device-db.ts';
import { hasUserDb } from '../db/open-dbs.ts';
import { transact } from '../db/transact.ts';
import { userDb } from '../db/user-db.ts';
import { within } from '../within.ts';
import { claimsOf } from './access-token.ts';
import { unseal } from './cipher.ts';
import { wipe } from './wipes.ts';

/** Deletes the session and its stored screens, all or nothing. */
export const clearSession = (db: DeviceTables = deviceDb): Promise<void> =>
  transact(db, [db.session, db.screens], async (db) => {
    await db.session.delete('current');
    await db.screens.clear();
  });

/**
 * Ends a session that was not remembered and whose window is closed, or whose sign-out could not write (`isSignedOut`). Deletes its
 * user's data; after a closed window only if no command waits to be sent. Does nothing if the device cannot write.
 */
export const endStored = (row: SessionRow, key: KeyRow | undefined, isSignedOut: boolean): Promise<void> =>
  attempt(endRow(row, key, isSignedOut));

async function endRow({ window, sealed, sessionId }: SessionRow, key: KeyRow | undefined, isSignedOut: boolean): Promise<void> {
  const userId = await userOf(sealed, key).catch(() => undefined);
  const isUnsent = !isSignedOut && userId && (await hasUserDb(userId)) && (await userDb(userId).outbox.count()) > 0;
  const gone = isUnsent ? undefined : userId;
  const isEnded = await transact(deviceDb, deviceDb.tables, async (deviceDb) => {
    const current = await deviceDb.session.get('current');
    // The user may have signed in meanwhile.
    if (current?.window !== window || current.sessionId !== sessionId) return false;
    if (gone) await deviceDb.wipes.put({ userId: gone });
    await clearSession(deviceDb);
    return true;
  });
  if (isEnded && gone) await wipe(gone);
}

/** How long the storage may take at the end of a session, ms. */
const STORAGE_TIMEOUT_MS = 3_000;

/** Waits for storage at the end of a session. It may fail or never answer, which gives undefined: the session ends all the same. */
export const attempt = <T>(work: Promise<T>): Promise<T | undefined> =>
  within(
    STORAGE_TIMEOUT_MS,
    work.catch((error) => {
      console.error(error);
      return undefined;
    }),
  );

async function userOf(sealed: ArrayBuffer, key: KeyRow | undefined): Promise<string | undefined> {
  const { accessToken } = (await unseal(sealed, key)) as Tokens;
  return claimsOf(accessToken).sub;
}
