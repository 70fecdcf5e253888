import { messageAnswer } from '../../../contract/envelope';
import { ApiError } from '../api/errors';
import { send } from '../api/send';
import { deviceDb } from '../db/device-db';
import { deleteUserDb } from '../db/user-db';
import { forgetInsightPage } from '../flags';
import { accessToken, currentTokens, endSession } from './session';
import { signedIn } from './signed-in';
import { tellSignedOut } from './signed-out';

/** The lanes of commands that would be lost by signing out, one entry a command: the user is asked first. */
export async function unsentLanes(): Promise<string[]> {
  return ((await signedIn()?.db.outbox.orderBy('lane').keys()) ?? []) as string[];
}

/**
 * Ends the session on the server, then here: the blob and everything of this user on the device. Without a
 * connection nothing is ended and NetworkError is thrown, because the server would go on trusting this device;
 * a 401 or 403 says that it already does not (spec §4).
 */
export async function signOut(): Promise<void> {
  const user = signedIn();
  if (!user) return;
  try {
    const token = await accessToken();
    const body = { refreshToken: currentTokens()?.refreshToken };
    if (token) await send('/auth/logout/', { method: 'POST', body, answer: messageAnswer }, token);
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 401 && error.status !== 403)) throw error;
  }
  const { userId } = user;
  await deviceDb.wipes.put({ userId });
  await endSession();
  forgetInsightPage();
  tellSignedOut(userId);
  await wipe(userId);
}

async function wipe(userId: string): Promise<void> {
  await deleteUserDb(userId);
  await deviceDb.wipes.delete(userId);
}

/** Wipes what a sign-out has left that was cut short. Call it at start, before any user's database is opened. */
export async function finishSignOuts(): Promise<void> {
  for (const { userId } of await deviceDb.wipes.toArray()) await wipe(userId);
}
