import { useSyncExternalStore } from 'react';
import { decodable } from './url-guard.ts';

/** Where the app is. `state` is what `push` or `replace` was given; it survives reload and back. */
export interface AppLocation {
  pathname: string;
  search: string;
  hash: string;
  state: unknown;
}

interface Entry {
  /** How many entries of ours lie below this one: 0 means that going back would leave the app. */
  depth: number;
  state: unknown;
}

const entry = (): Entry => (window.history.state as Entry | null) ?? { depth: 0, state: undefined };

const read = (): AppLocation => ({
  pathname: decodable(window.location.pathname),
  search: decodable(window.location.search),
  hash: window.location.hash,
  state: entry().state,
});

let current = read();
/** The path of the first page of this visit; the chat's back button asks for it (spec §2). */
export const firstPath = current.pathname;

type Listener = (update: { location: AppLocation }) => void;
const listeners = new Set<Listener>();

function changed() {
  current = read();
  depth = entry().depth;
  for (const listener of [...listeners]) listener({ location: current });
}

/** Asked before the user leaves the page that is shown: calls `leave` if they want to all the same. */
type LeaveQuestion = (leave: () => void) => void;
let question: LeaveQuestion | undefined;

/** Until what it returns is called, going back or forward asks first. A redirect does not. */
export function askBeforeLeaving(next: LeaveQuestion): () => void {
  question = next;
  return () => {
    if (question === next) question = undefined;
  };
}

/** `entry().depth` of the page that is shown. */
let depth = entry().depth;
let isReturning = false;

// Fires for a plain #hash link too.
window.addEventListener('popstate', () => {
  const steps = entry().depth - depth;
  if (isReturning) isReturning = false;
  else if (question && steps !== 0) {
    // The browser has gone already: it comes back, and goes again when the user says so.
    isReturning = true;
    window.history.go(-steps);
    question(() => {
      question = undefined;
      window.history.go(steps);
    });
  } else changed();
});

export const history = {
  get location() {
    return current;
  },
  listen(listener: Listener) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  push(url: string, state?: unknown) {
    const from = current.pathname;
    window.history.pushState({ depth: entry().depth + 1, state } satisfies Entry, '', url);
    changed();
    // Going back, the browser restores the scroll itself; a page that is new begins at its top.
    if (current.pathname !== from) window.scrollTo(0, 0);
  },
  replace(url: string, state?: unknown) {
    window.history.replaceState({ depth: entry().depth, state } satisfies Entry, '', url);
    changed();
  },
};

const subscribe = (listener: Listener) => history.listen(listener);
export const useLocation = (): AppLocation => useSyncExternalStore(subscribe, () => current);

/**
 * The page header's back rule (spec §2): two steps if the address has a hash, otherwise one. Opened from a
 * link or the home screen there is nothing to go back to; then it goes up to `fallback`.
 */
export function goBack(fallback = '/home') {
  const steps = current.hash ? 2 : 1;
  if (entry().depth >= steps) window.history.go(-steps);
  else if (question) question(() => history.replace(fallback));
  else history.replace(fallback);
}
