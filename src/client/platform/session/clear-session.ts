import type { Tokens } from '#contract/account/tokens.ts';
import { type DeviceTables, deviceDb, type KeyRow, type SessionRow } from '../db/device-db.ts';
import { hasUserDb } from '../db/open-dbs.ts';
import { transact } from '../db/transact.ts';
import { userDb } from '../db/user-db.ts';
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
export async function endWithWindow({ window, sealed }: SessionRow, key: KeyRow | undefined): Promise<void> {
  const userId = await userOf(sealed, key).catch(() => undefined);
  const isUnsent = userId !== undefined && (await hasUserDb(userId)) && (await userDb(userId).outbox.count()) > 0;
  const gone = isUnsent ? undefined : userId;
  const isEnded = await transact(deviceDb, deviceDb.tables, async (deviceDb) => {
    // The user may have signed in meanwhile.
    if ((await deviceDb.session.get('current'))?.window !== window) return false;
    if (gone) await deviceDb.wipes.put({ userId: gone });
    await clearSession(deviceDb);
    return true;
  });
  if (isEnded && gone) await wipe(gone);
}

async function userOf(sealed: ArrayBuffer, key: KeyRow | undefined): Promise<string | undefined> {
  const { accessToken } = (await unseal(sealed, key)) as Tokens;
  return claimsOf(accessToken).sub;
}
