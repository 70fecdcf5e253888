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

/** Ends a session that was not remembered and whose window is closed. Deletes its user's data, unless a command waits to be sent. */
export async function endWithWindow(row: SessionRow, key: KeyRow | undefined): Promise<void> {
  const userId = await userOf(row.sealed, key).catch(() => undefined);
  const isUnsent = userId !== undefined && (await hasUserDb(userId)) && (await userDb(userId).outbox.count()) > 0;
  await endRow(row, isUnsent ? undefined : userId);
}

/** Ends a session whose sign-out could not write. Does nothing if the device still cannot. */
export async function finishSignOut(row: SessionRow, key: KeyRow | undefined): Promise<void> {
  const userId = await userOf(row.sealed, key).catch(() => undefined);
  await attempt(endRow(row, userId));
}

async function endRow({ window, sessionId }: SessionRow, gone: string | undefined): Promise<void> {
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

/** Waits for storage at the end of a session. It may fail or never answer: the session ends all the same. */
export const attempt = (work: Promise<unknown>): Promise<void> =>
  within(
    STORAGE_TIMEOUT_MS,
    work.catch((error) => console.error('the storage failed at the end of the session', error)),
  );

async function userOf(sealed: ArrayBuffer, key: KeyRow | undefined): Promise<string | undefined> {
  const { accessToken } = (await unseal(sealed, key)) as Tokens;
  return claimsOf(accessToken).sub;
}
