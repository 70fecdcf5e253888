import { readDevice } from '../db/read-device.ts';

/** Removes what the device keeps of a user who signed out. */
export async function wipe(userId: string): Promise<void> {
  const [{ deleteUserDb }, { deviceDb }] = await Promise.all([import('../db/user-db.ts'), import('../db/device-db.ts')]);
  await deleteUserDb(userId);
  await deviceDb.wipes.delete(userId);
}

/** Wipes what a sign-out has left that was cut short. Call it at start, before any user's database is opened. */
export async function finishSignOuts(): Promise<void> {
  for (const { userId } of (await readDevice()).wipes) await wipe(userId);
}
