import { deviceDb } from '../db/device-db.ts';
import { deleteUserDb } from '../db/user-db.ts';

/** Removes what the device keeps of a user who signed out. */
export async function wipe(userId: string): Promise<void> {
  await deleteUserDb(userId);
  await deviceDb.wipes.delete(userId);
}

/** Wipes what a sign-out has left that was cut short. Call it at start, before any user's database is opened. */
export async function finishSignOuts(): Promise<void> {
  for (const { userId } of await deviceDb.wipes.toArray()) await wipe(userId);
}
