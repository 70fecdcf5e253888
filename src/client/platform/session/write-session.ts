import type { Tokens } from '#contract/account/tokens.ts';
import { deviceDb } from '../db/device-db.ts';
import { transact } from '../db/transact.ts';
import { seal } from './cipher.ts';
import { holdWindow, readSession } from './session-row.ts';
import { unmarkEnded, WINDOW_KEY } from './web-storage.ts';

/** Stores a new session with the server's id of it. `remember` false ties it to this window. */
export async function writeSession(value: Tokens, remember: boolean, sessionId: string): Promise<void> {
  const window = remember ? null : crypto.randomUUID();
  if (window) {
    sessionStorage.setItem(WINDOW_KEY, window);
    holdWindow(window);
  }
  const sealed = await seal(value);
  await transact(deviceDb, [deviceDb.session, deviceDb.screens], async (deviceDb) => {
    await deviceDb.screens.clear();
    await deviceDb.session.put({ id: 'current', sealed, window, sessionId });
  });
  unmarkEnded();
}

/** Puts refreshed tokens in the place of `stale`; false when that session has ended, or another has begun, meanwhile. */
export async function replaceSession(value: Tokens, stale: Tokens, sessionId: string): Promise<boolean> {
  const sealed = await seal(value);
  const kept = await readSession();
  if (typeof kept === 'string' || kept.refreshToken !== stale.refreshToken) return false;
  return (await deviceDb.session.update('current', { sealed, sessionId })) > 0;
}
