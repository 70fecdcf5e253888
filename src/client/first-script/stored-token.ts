import { readDevice } from '../platform/db/read-device.ts';
import { claimsOf, isFresh } from '../platform/session/access-token.ts';
import { decrypt, importKey } from '../platform/session/aes.ts';
import { WINDOW_KEY } from '../platform/session/web-storage.ts';
import { STORAGE_KEY } from '../platform/settings.ts';

/**
 * Returns the access token of the stored session and its user; undefined when the app has to look closer: there is no
 * session, it belongs to another window, or its token is about to expire. Rejects when it cannot be read.
 */
export async function storedToken(): Promise<{ accessToken: string; userId: string } | undefined> {
  const { session, key } = await readDevice();
  if (!session || (session.window !== null && session.window !== sessionStorage.getItem(WINDOW_KEY))) return undefined;
  const cipherKey = STORAGE_KEY ? await importKey(STORAGE_KEY) : key?.key;
  if (!cipherKey) return undefined;
  const { accessToken } = (await decrypt(cipherKey, session.sealed)) as { accessToken: string };
  const { sub, exp = 0 } = claimsOf(accessToken);
  return sub && isFresh(exp, Date.now()) ? { accessToken, userId: sub } : undefined;
}
