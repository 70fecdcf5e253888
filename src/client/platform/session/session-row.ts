import type { Tokens } from '#contract/account/tokens.ts';
import { deviceDb } from '../db/device-db.ts';
import { onPageCache } from '../page-cache.ts';
import { seal, unseal } from './cipher.ts';
import { WINDOW_KEY } from './window-key.ts';

const windowLock = (id: string) => `tidemark/window/${id}`;

/** The window lock that this window holds. */
let held: { id: string; release: () => void } | undefined;

/** Holds a lock while this window is open, so that a second tab may use the session. */
function holdWindow(id: string) {
  if (held?.id === id) return;
  const released = new Promise<void>((release) => {
    held = { id, release };
  });
  void navigator.locks.request(windowLock(id), { mode: 'shared' }, () => released);
}

let cachedId: string | undefined;

// A held lock keeps browsers from caching the page.
onPageCache({
  freeze() {
    cachedId = held?.id;
    held?.release();
    held = undefined;
  },
  resume: () => cachedId && holdWindow(cachedId),
});

const isWindowOpen = async (id: string) => (await navigator.locks.query()).held?.some((lock) => lock.name === windowLock(id)) ?? false;

const ownStorage = () => globalThis.sessionStorage as Storage | undefined;

/**
 * Returns whether this context may use a session that is not remembered: its window, or a tab or worker while such a
 * window is open.
 */
async function mayUse(window: string): Promise<boolean> {
  const storage = ownStorage();
  const own = storage?.getItem(WINDOW_KEY) === window;
  if (!own && !(await isWindowOpen(window))) return false;
  if (storage) {
    storage.setItem(WINDOW_KEY, window);
    holdWindow(window);
  }
  return true;
}

/** What a start finds: a session, none, or one that can no longer be read. */
export type StoredSession = Tokens | 'none' | 'broken';

/** Reads the stored session. Deletes a row that no window may use or that does not decrypt. */
export async function readSession(): Promise<StoredSession> {
  const row = await deviceDb.session.get('current');
  if (!row) return 'none';
  if (row.window !== null && !(await mayUse(row.window))) {
    // A worker cannot tell a closed window from one that is just being loaded again.
    if (ownStorage()) await clearSession();
    return 'none';
  }
  try {
    // Only this device's key seals, and only what was parsed: what opens is whole.
    return (await unseal(row.sealed)) as Tokens;
  } catch {
    await clearSession();
    return 'broken';
  }
}

/** Stores a new session with the server's id of it. `remember` false ties it to this window. */
export async function writeSession(value: Tokens, remember: boolean, sessionId: string): Promise<void> {
  const window = remember ? null : crypto.randomUUID();
  if (window) {
    sessionStorage.setItem(WINDOW_KEY, window);
    holdWindow(window);
  }
  const sealed = await seal(value);
  await deviceDb.transaction('rw', deviceDb.session, deviceDb.screens, async () => {
    await deviceDb.screens.clear();
    await deviceDb.session.put({ id: 'current', sealed, window, sessionId });
  });
}

/** Puts refreshed tokens in the place of `stale`; false when that session has ended, or another has begun, meanwhile. */
export async function replaceSession(value: Tokens, stale: Tokens, sessionId: string): Promise<boolean> {
  const sealed = await seal(value);
  const kept = await readSession();
  if (typeof kept === 'string' || kept.refreshToken !== stale.refreshToken) return false;
  return (await deviceDb.session.update('current', { sealed, sessionId })) > 0;
}

/** Deletes the session and its stored screens, all or nothing. */
export const clearSession = (): Promise<void> =>
  deviceDb.transaction('rw', deviceDb.session, deviceDb.screens, async () => {
    await deviceDb.session.delete('current');
    await deviceDb.screens.clear();
  });
