import { useSyncExternalStore } from 'react';
import { keepPlace, placeAt, placeOf, restorePlace, scrollToTop } from './places.ts';
import { decodable } from './url-guard.ts';

/** The current address. `state` is the argument of `push` or `replace`; it survives a reload. */
export interface AppLocation {
  pathname: string;
  search: string;
  hash: string;
  state: unknown;
}

interface Entry {
  /** How many of the app's entries are before this one. At 0, going back leaves the app. */
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
/** The path of the first page of this visit, for the chat's back button. */
export const firstPath = current.pathname;

type Listener = (update: { location: AppLocation }) => void;
const listeners = new Set<Listener>();

function changed() {
  current = read();
  depth = entry().depth;
  for (const listener of [...listeners]) listener({ location: current });
}

/** Asks the user before leaving the page, and calls `leave` if they agree. */
type LeaveQuestion = (leave: () => void) => void;
let question: LeaveQuestion | undefined;

/** Makes back and forward ask first, until the returned function is called. Redirects do not ask. */
export function askBeforeLeaving(next: LeaveQuestion): () => void {
  question = next;
  return () => {
    if (question === next) question = undefined;
  };
}

/** `entry().depth` of the current page. */
let depth = entry().depth;
let isReturning = false;

// Also fires for a plain #hash link.
window.addEventListener('popstate', () => {
  const steps = entry().depth - depth;
  if (isReturning) isReturning = false;
  else if (question && steps !== 0) {
    // The browser has already moved: move back, and forward again if the user agrees.
    isReturning = true;
    window.history.go(-steps);
    question(() => {
      question = undefined;
      window.history.go(steps);
    });
  } else {
    keepPlace(depth, current.pathname, current.search);
    changed();
    const place = placeAt(depth, current.pathname);
    if (place && steps !== 0) restorePlace(place);
  }
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
    keepPlace(depth, from, current.search);
    window.history.pushState({ depth: entry().depth + 1, state } satisfies Entry, '', url);
    changed();
    // A new page starts at the top. On back, the browser restores the scroll position.
    if (current.pathname !== from) window.scrollTo(0, 0);
  },
  /** Opens a page as the user left it. On that page, scrolls to its top. */
  returnTo(pathname: string) {
    if (pathname === current.pathname) return scrollToTop();
    const place = placeOf(pathname);
    history.push(pathname + (place?.search ?? ''));
    if (place) restorePlace(place);
  },
  replace(url: string, state?: unknown) {
    window.history.replaceState({ depth: entry().depth, state } satisfies Entry, '', url);
    changed();
  },
};

const subscribe = (listener: Listener) => history.listen(listener);
export const useLocation = (): AppLocation => useSyncExternalStore(subscribe, () => current);

/**
 * Goes back for the page header: two steps if the address has a hash, else one. If the app was opened on this page, goes
 * to `fallback`.
 */
export function goBack(fallback = '/home') {
  const steps = current.hash ? 2 : 1;
  if (entry().depth >= steps) window.history.go(-steps);
  else if (question) question(() => history.replace(fallback));
  else history.replace(fallback);
}
