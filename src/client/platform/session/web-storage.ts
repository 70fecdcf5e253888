/** sessionStorage key: the id that ties a session to this window. The worker has no sessionStorage. */
export const WINDOW_KEY = 'tidemark:window';

/** localStorage key: the server's id of the session that the user signed out of last. Its row may still be in IndexedDB, if that fails to write. */
const ENDED_SESSION = 'ended-session';

const local = () => globalThis.localStorage as Storage | undefined;

/** Returns whether the user has signed out of a session. The worker cannot tell. */
export const isEnded = (sessionId: string | undefined): boolean => !!sessionId && local()?.getItem(ENDED_SESSION) === sessionId;

/** Remembers that the user has signed out of a session. */
export function markEnded(sessionId: string): void {
  try {
    local()?.setItem(ENDED_SESSION, sessionId);
  } catch {
    // IndexedDB may still delete the session.
  }
}

/** Forgets it, once the device has stored another session. */
export const unmarkEnded = (): void => local()?.removeItem(ENDED_SESSION);
