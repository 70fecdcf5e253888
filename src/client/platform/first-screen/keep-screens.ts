import { afterContent } from '../after-content.ts';
import { history } from '../router/history.ts';
import { sessionState } from '../session/session.ts';
import { firstScreen } from './first-screen.ts';
import { isKeptPage } from './kept-pages.ts';
import { screenFit } from './screen-fit.ts';
import { isAtEnd, isInView, outsideFirstScreen, scrolledParts } from './screen-geometry.ts';
import { serializeScreen } from './serialize-screen.ts';
import { storeScreen } from './stored-screens.ts';

/** How long the page rests between its content and the storing, ms: pictures and controls load late. */
const REST = 700;
/** How many times an unfinished page is checked. */
const TRIES = 10;

/** Stores the first screen of each page of a remembered session: when its content has been shown, and when it is hidden. */
export function startKeepingScreens(): void {
  let visit = 0;
  const keepSoon = async () => {
    const current = ++visit;
    await afterContent();
    for (let tries = 0; tries < TRIES; tries++) {
      await new Promise((resolve) => setTimeout(resolve, REST));
      if (current !== visit || (await keepScreen())) return;
    }
  };
  let { pathname } = history.location;
  history.listen(({ location }) => {
    if (location.pathname === pathname) return;
    pathname = location.pathname;
    void keepSoon();
  });
  // A page that the browser caches for Back may not open the database again. Such a page is hidden after `pagehide`.
  let isLeaving = false;
  addEventListener('pagehide', () => {
    isLeaving = true;
  });
  addEventListener('pageshow', () => {
    isLeaving = false;
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' && !isLeaving) void keepScreen();
  });
  void keepSoon();
}

/** Stores the current page's first screen. Resolves with false if it is not complete yet. */
export async function keepScreen(now = Date.now()): Promise<boolean> {
  const session = sessionState();
  const fit = screenFit();
  const { pathname, search } = location;
  if (session.status !== 'signed-in' || !fit || !isKeptPage(location)) return true;
  const page = document.querySelector('#root > [data-tabs]');
  if (!page || firstScreen() || !isComplete(page)) return false;
  if (!isAsOpened(page)) return true;
  const html = serializeScreen(page, outsideFirstScreen(scrolledParts(page)));
  try {
    await storeScreen({ address: pathname + search, sessionId: session.claims.sid, ...fit, html, savedAt: now });
  } catch (error) {
    console.error('the first screen could not be stored', error);
  }
  return true;
}

/** Returns whether nothing visible is loading or has failed. */
const isComplete = (page: Element): boolean =>
  ![...page.querySelectorAll('[data-skeleton], [role="alert"], [aria-busy="true"]')].some(isInView);

/**
 * Returns whether the page shows what it opens with: at its start, a conversation at its end, no dialog or menu, and no
 * search, whose text the page may repeat.
 */
function isAsOpened(page: Element): boolean {
  if (scrollY > 0 || document.querySelector('dialog[open], [popover]')) return false;
  if ([...page.querySelectorAll<HTMLInputElement>('input[type="search"]')].some(({ value }) => value !== '')) return false;
  return scrolledParts(page).every((part) => part.matches('textarea, [data-opens="end"]') && (part.matches('textarea') || isAtEnd(part)));
}
