import { onUserGone } from '../session/sign-out-in-other-tabs.ts';

/** Where the user was on a page. */
interface Place {
  pathname: string;
  search: string;
  /** Scroll position of the page, then of its panes. */
  scrolled: number[];
  /** The address of the link with the focus. */
  focused: string | undefined;
}

/** How long a page may take until it is tall enough. */
const RESTORE_TIMEOUT_MS = 1_000;

/** By the entry's depth in the history. */
const entries: Place[] = [];
/** By pathname: where the user left each page. */
const pages = new Map<string, Place>();
onUserGone(() => {
  entries.length = 0;
  pages.clear();
});

const panes = () => document.querySelectorAll<HTMLElement>('[data-pane]');

/** Keeps the place on the page that the user leaves. */
export function keepPlace(depth: number, pathname: string, search: string): void {
  const link = document.activeElement?.closest('main a[href]');
  const place = {
    pathname,
    search,
    scrolled: [scrollY, ...[...panes()].map(({ scrollTop }) => scrollTop)],
    focused: link?.getAttribute('href') ?? undefined,
  };
  entries[depth] = place;
  pages.set(pathname, place);
}

export const placeOf = (pathname: string): Place | undefined => pages.get(pathname);

/** Returns the place of a history entry, if it still has the same page. */
export function placeAt(depth: number, pathname: string): Place | undefined {
  const place = entries[depth];
  return place?.pathname === pathname ? place : undefined;
}

let stop = () => {};
let returning: Place | undefined;

/** Returns whether the browser may scroll the first page of this visit to where it was. */
const isReopened = (): boolean => {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return visit?.type !== 'navigate';
};

/** Returns whether this page opens at its top. Other pages need their full height at once. */
export const opensAtTop = (): boolean => (pages.size > 0 ? !returning?.scrolled.some((top) => top > 0) : !isReopened());

/** Returns to a place once the page has rendered, and again while it grows, until the user does something. */
export function restorePlace(place: Place): void {
  stop();
  returning = place;
  const { scrolled, focused } = place;
  const until = performance.now() + RESTORE_TIMEOUT_MS;
  let isStopped = false;
  const events = ['wheel', 'touchstart', 'pointerdown', 'keydown', 'popstate'];
  stop = () => {
    isStopped = true;
    returning = undefined;
    for (const event of events) removeEventListener(event, stop, true);
  };
  for (const event of events) addEventListener(event, stop, true);
  let isFocused = focused === undefined;
  const attempt = () => {
    if (isStopped) return;
    isFocused ||= focus(focused);
    const isThere = scrollBack(scrolled);
    if ((isThere && isFocused) || performance.now() > until) stop();
    else requestAnimationFrame(attempt);
  };
  // React renders a tap and popstate in a microtask that was queued before this one.
  queueMicrotask(attempt);
}

/** Scrolls page and panes. Returns whether they are as tall as before. */
function scrollBack([page = 0, ...inPanes]: number[]): boolean {
  const targets = panes();
  if (Math.abs(scrollY - page) >= 1) scrollTo(0, page);
  for (const [at, pane] of targets.entries()) if (inPanes[at] !== undefined) pane.scrollTop = inPanes[at];
  return Math.abs(scrollY - page) < 1 && inPanes.every((top, at) => Math.abs((targets[at]?.scrollTop ?? 0) - top) < 1);
}

function focus(href: string | undefined): boolean {
  const link = [...document.querySelectorAll<HTMLElement>('main a[href]')].find((each) => each.getAttribute('href') === href);
  link?.focus({ preventScroll: true });
  return link !== undefined && document.activeElement === link;
}

/** Scrolls page and panes to their tops. */
export function scrollToTop(): void {
  stop();
  const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
  scrollTo({ top: 0, behavior });
  for (const pane of panes()) pane.scrollTo({ top: 0, behavior });
}
