import Dexie from 'dexie';
import { idle } from '../platform/after-content.ts';
import { dropResults, readAhead } from '../platform/cache/read-ahead.ts';
import { userDbName } from '../platform/db/db-names.ts';
import { placeOf } from '../platform/router/places.ts';
import { currentUserId } from '../platform/session/session.ts';
import { matchRoute } from './match-route.ts';

/** The tabs whose first render needs the device. */
const TABS = ['/home', '/crypto', '/archive'];
/** How many chats of a list are read. The newest come first, and are opened most. */
const CHATS = 2;
/** Changes of the device within this time are followed by one read, ms. */
const LAG_MS = 1_000;

let isWaiting = false;

/**
 * Reads what the next pages show, so that the first frame after a tap has it: the tabs and the first chats of a list while
 * this page is idle, and the page of a link when it is pressed. Each change of the device, in any tab, makes the results outdated. Returns a function
 * that stops it.
 */
export function readNextPages(): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  Dexie.on('storagemutated', changed);
  document.addEventListener('visibilitychange', outdated, { signal });
  document.addEventListener('pointerdown', pressed, { capture: true, passive: true, signal });
  outdated();
  return () => {
    ended.abort();
    Dexie.on('storagemutated').unsubscribe(changed);
  };
}

/** `parts` begin with `idb://DATABASE/`. What the pages show is in the user's database. */
function changed(parts: object): void {
  const userId = currentUserId();
  const prefix = userId && `idb://${userDbName(userId)}/`;
  if (prefix && Object.keys(parts).some((part) => part.startsWith(prefix))) outdated();
}

function outdated(): void {
  dropResults();
  if (!isWaiting) void readSoon();
}

async function readSoon(): Promise<void> {
  isWaiting = true;
  await new Promise((resolve) => setTimeout(resolve, LAG_MS));
  await idle();
  isWaiting = false;
  if (document.visibilityState !== 'visible') return;
  for (const pathname of [...TABS, ...listedChats()]) if (pathname !== location.pathname) await readPage(pathname);
}

const listedChats = (): string[] =>
  [...document.querySelectorAll<HTMLAnchorElement>('main a[href^="/chat/archive/"]')].slice(0, CHATS).map(({ pathname }) => pathname);

/** Reads behind the frame of the press: the read would delay it, and a tap that ends at once. */
function pressed({ target }: Event): void {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]') : null;
  if (!link || link.pathname === location.pathname) return;
  const { pathname, search } = link;
  requestAnimationFrame(() => setTimeout(() => void readPage(pathname, search)));
}

/** Reads what a page shows if its code is on the device. */
async function readPage(pathname: string, search = ''): Promise<void> {
  const userId = currentUserId();
  const code = await matchRoute(pathname)
    ?.route.load()
    .catch(() => undefined);
  if (!userId || !code?.ahead) return;
  await readAhead(userId, code.ahead({ pathname, search: search || (placeOf(pathname)?.search ?? '') }, userId));
}
