import { deviceDb } from '../db/device-db.ts';

/** Deletes the session and its stored screens, all or nothing. */
export const clearSession = (): Promise<void> =>
  deviceDb.transaction('rw', deviceDb.session, deviceDb.screens, async () => {
    await deviceDb.session.delete('current');
    await deviceDb.screens.clear();
  });
