import { filesOfPage, type RouteFiles } from '#domain/route-files.ts';
import { firstScreen, PRESSED, TAPPED } from '../platform/first-screen/first-screen.ts';
import { isOfThisLayout } from '../platform/first-screen/layout-fit.ts';
import { isEnded } from '../platform/session/web-storage.ts';
import { SIGN_OUT_CHANNEL } from '../platform/tabs/sign-out-channel.ts';
import { refreshScreen } from './refresh-screen.ts';

// The worker puts this script into the head of a page with a stored first screen (sw/first-screens.ts). It removes a screen
// of another theme, width or time zone, refreshes what ages, and starts the app after the first frame.

/** What each page with a stored screen needs besides the main script, to take the screen over. Set by the build. */
declare const TAKE_OVER_SCRIPTS: RouteFiles;

/** The longest that the screen waits for the app, ms. */
const TAKEOVER_LIMIT = 10_000;
/** Longest wait for a frame, ms: a covered window may draw none. */
const FRAME_LIMIT = 2_000;

const main = document.currentScript?.dataset.main ?? '';
const drop = () => firstScreen()?.remove();

let isStarted = false;
function startApp() {
  if (isStarted) return;
  isStarted = true;
  const script = document.createElement('script');
  script.type = 'module';
  script.crossOrigin = '';
  script.src = main;
  script.onerror = drop;
  script.onload = () => tabs.close();
  const beside = filesOfPage(TAKE_OVER_SCRIPTS, location.pathname);
  const links = isChromium
    ? [main, ...beside].map((href) => loadLink(href, 'preload'))
    : beside.map((href) => loadLink(href, 'modulepreload'));
  document.head.append(...links, script);
}

// Chromium compiles a module anew while it loads, although the cache holds its compiled code. It reads that code if the
// file was requested as a script of unknown type (decision 240). Others would request such a file twice.
const isChromium = 'userAgentData' in navigator;

/** Loads a script beside the main one, which would request it only when it runs. */
function loadLink(href: string, rel: 'preload' | 'modulepreload'): HTMLLinkElement {
  const link = document.createElement('link');
  link.rel = rel;
  if (rel === 'preload') link.as = 'script';
  link.crossOrigin = '';
  link.href = href;
  return link;
}

function startAfterFirstFrame(screen: HTMLElement) {
  if (document.hidden || !screen.isConnected) return startApp();
  setTimeout(startApp, FRAME_LIMIT);
  requestAnimationFrame(() => {
    for (const part of screen.querySelectorAll('[data-opens="end"]')) part.scrollTop = part.scrollHeight;
    setTimeout(startApp);
  });
}

// The app listens itself once it runs. Another tab may sign out before.
const tabs = new BroadcastChannel(SIGN_OUT_CHANNEL);
tabs.onmessage = drop;
setTimeout(drop, TAKEOVER_LIMIT);

// The app repeats the tap on a button when it takes over. Links work without it.
addEventListener('click', ({ target }) => {
  const control = (target as Element).closest?.<HTMLElement>('#first-screen :is(button, label, summary)');
  if (!control) return;
  firstScreen()?.querySelector(`[${TAPPED}]`)?.removeAttribute(TAPPED);
  control.setAttribute(TAPPED, '');
});

// The app waits for the end of a press, and for the click that follows it.
const press = () => firstScreen()?.setAttribute(PRESSED, '');
const release = () => setTimeout(() => firstScreen()?.removeAttribute(PRESSED));
addEventListener('pointerdown', press);
addEventListener('pointerup', release);
addEventListener('pointercancel', release);

// The screen is complete when the parser has reached #root, which follows it. Until then the stylesheet hides it.
const parser = new MutationObserver(() => {
  if (!document.getElementById('root')) return;
  parser.disconnect();
  const screen = firstScreen();
  if (!screen) return tabs.close();
  if (!isEnded(screen.dataset.session) && isOfThisLayout(screen.dataset)) refreshScreen(screen);
  else drop();
  startAfterFirstFrame(screen);
});
parser.observe(document, { childList: true, subtree: true });
