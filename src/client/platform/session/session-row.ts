import type { Tokens } from '#contract/account/tokens.ts';
import { readDevice } from '../db/read-device.ts';
import { onPageCache } from '../page-cache.ts';
import { unseal } from './cipher.ts';
import { isEnded, WINDOW_KEY } from './web-storage.ts';

const windowLock = (id: string) => `tidemark/window/${id}`;

/** The window lock that this window holds. */
let held: { id: string; release: () => void } | undefined;

/** Holds a lock while this window is open, so that a second tab may use the session. */
export function holdWindow(id: string) {
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

const clear = async () => (await import('./clear-session.ts')).clearSession();

/** Reads the stored session. Deletes a row that no window may use or that does not decrypt. */
export async function readSession(): Promise<StoredSession> {
  const { session: row, key } = await readDevice();
  if (!row) return 'none';
  const isSignedOut = isEnded(row.sessionId);
  if (isSignedOut || (row.window !== null && !(await mayUse(row.window)))) {
    // A worker cannot tell a closed window from one that is just being loaded again.
    if (ownStorage()) await (await import('./clear-session.ts')).endStored(row, key, isSignedOut);
    return 'none';
  }
  try {
    // Only this device's key seals, and only what was parsed: what opens is whole.
    return (await unseal(row.sealed, key)) as Tokens;
  } catch {
    await clear();
    return 'broken';
  }
}
