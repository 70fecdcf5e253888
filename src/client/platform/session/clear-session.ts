import { type DeviceTables, deviceDb } from '../db/device-db.ts';
import { transact } from '../db/transact.ts';

/** Deletes the session and its stored screens, all or nothing. */
export const clearSession = (db: DeviceTables = deviceDb): Promise<void> =>
  transact(db, [db.session, db.screens], async (db) => {
    await db.session.delete('current');
    await db.screens.clear();
  });
