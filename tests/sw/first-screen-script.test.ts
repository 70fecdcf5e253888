import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { formatAge } from '#client/ui/labels/format-age.ts';

/** A time of March 2026 in the zone of this machine, where some hours begin at half past of UTC. */
const timeOf = (day: number, hour: number) => new Date(2026, 2, day, hour).getTime();
const NOW = timeOf(10, 9);
const ZONE = String(new Date(NOW).getTimezoneOffset());
const screen = () => document.getElementById('first-screen');
const main = () => document.querySelector<HTMLScriptElement>('script[type="module"]');

// Nothing is loaded: the addresses alone count.
const { happyDOM } = window as unknown as { happyDOM: { settings: { handleDisabledFileLoadingAsSuccess: boolean } } };
happyDOM.settings.handleDisabledFileLoadingAsSuccess = true;

let frames: FrameRequestCallback[] = [];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'], now: NOW });
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame));
  vi.stubGlobal('TAKE_OVER_SCRIPTS', [
    { paths: ['/home'], files: ['/assets/home-1.js'] },
    { paths: ['/crypto', '/crypto/details/:cryptoId'], files: ['/assets/lists-1.js', '/assets/db-1.js'] },
  ]);
  document.head.innerHTML = '';
  document.body.innerHTML = '';
  localStorage.clear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Runs the script in the head, then lets the parser find the body. */
async function open(body: string, { theme = 'system', width = 'wide', zone = ZONE, storedAt = NOW } = {}) {
  const script = document.createElement('script');
  script.dataset.main = '/assets/index-1.js';
  Object.defineProperty(document, 'currentScript', { value: script, configurable: true });
  vi.resetModules(); // each page runs the script anew
  await import('#client/first-screen-script/main.ts');
  const attributes = `data-theme="${theme}" data-width="${width}" data-zone="${zone}" data-stored-at="${storedAt}"`;
  document.body.innerHTML = `<div id="first-screen" ${attributes}>${body}</div><div id="root"></div>`;
  await vi.advanceTimersByTimeAsync(0);
}

test.each([0, 59_999, 60_000, 3_599_999, 3_600_000, 86_399_999, 86_400_000, 864_000_000])(
  '%s ms: the age is as the app writes it',
  async (age) => {
    await open(`<p data-saved-at="${NOW - age}">Updated just now</p>`);
    expect(screen()?.querySelector('p')?.textContent).toBe(`Saved ${formatAge(NOW - age, NOW)}`);
  },
);

test('a time of yesterday gets its date, and other times stay', async () => {
  const time = (day: number, hour: number, text: string) => `<time datetime="${new Date(timeOf(day, hour)).toISOString()}">${text}</time>`;
  const times = [time(9, 9, 'Today, 9:00 AM'), time(9, 9, '9:00 AM'), time(1, 9, 'Mar 1, 2026'), time(10, 8, '8:00 AM')];
  await open(times.join(''), { storedAt: timeOf(9, 9) });
  const texts = [...document.querySelectorAll('time')].map(({ textContent }) => textContent.replace(/\s/g, ' '));
  expect(texts).toEqual(['Mar 9, 2026', 'Mar 9, 2026, 9:00 AM', 'Mar 1, 2026', '8:00 AM']);
});

test('icons get their size and hue, which a style attribute may not set', async () => {
  await open('<span data-size="36" data-hue="137"></span>');
  const { style } = document.querySelector('#first-screen span') as HTMLElement;
  expect([style.getPropertyValue('--size'), style.getPropertyValue('--hue')]).toEqual(['36px', '137']);
});

test('the app starts after the first frame', async () => {
  await open('<p>Bitcoin</p>');
  expect(screen()?.dataset.ready).toBe('');
  expect(main()).toBeNull();
  for (const frame of frames) frame(0);
  expect(main()).toBeNull();
  await vi.advanceTimersByTimeAsync(1);
  expect(main()?.getAttribute('src')).toBe('/assets/index-1.js');
});

test.each([
  ['/crypto', ['/assets/lists-1.js', '/assets/db-1.js']],
  ['/crypto/details/52', ['/assets/lists-1.js', '/assets/db-1.js']],
  ['/home', ['/assets/home-1.js']],
  ['/settings/account', []],
])('on %s, the scripts of the page load beside the main one, after the first frame', async (path, scripts) => {
  const preloaded = () => [...document.querySelectorAll('link[rel="modulepreload"]')].map((link) => link.getAttribute('href'));
  history.replaceState(null, '', path);
  await open('<p>Bitcoin</p>');
  expect(preloaded()).toEqual([]);
  for (const frame of frames) frame(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(preloaded()).toEqual(scripts);
});

test('Chromium gets every script as one of unknown type, so that it reads the compiled code', async () => {
  Object.defineProperty(navigator, 'userAgentData', { value: {}, configurable: true });
  try {
    history.replaceState(null, '', '/crypto');
    await open('<p>Bitcoin</p>');
    for (const frame of frames) frame(0);
    await vi.advanceTimersByTimeAsync(1);
    const links = [...document.querySelectorAll('link')].map(({ rel, as, crossOrigin, href }) => [
      rel,
      as,
      crossOrigin,
      new URL(href).pathname,
    ]);
    const asScript = (path: string) => ['preload', 'script', '', path];
    expect(links).toEqual(['/assets/index-1.js', '/assets/lists-1.js', '/assets/db-1.js'].map(asScript));
    expect(main()).not.toBeNull();
  } finally {
    Reflect.deleteProperty(navigator, 'userAgentData');
  }
});

test('a window that draws no frames starts the app all the same', async () => {
  await open('<p>Bitcoin</p>');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(main()).not.toBeNull();
});

test.each([
  ['theme', { theme: 'dark' }],
  ['width', { width: 'narrow' }],
  ['time zone', { zone: '-9999' }],
])('a screen of another %s is removed before it shows, and the app starts at once', async (_name, fit) => {
  await open('<p>Bitcoin</p>', fit);
  expect(screen()).toBeNull();
  await vi.advanceTimersByTimeAsync(0);
  expect(main()).not.toBeNull();
});

test('a screen whose app never takes over goes', async () => {
  await open('<p>Bitcoin</p>');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(screen()).toBeNull();
});

test('a screen whose app cannot be loaded goes', async () => {
  await open('<p>Bitcoin</p>');
  await vi.advanceTimersByTimeAsync(2_000);
  main()?.dispatchEvent(new Event('error'));
  expect(screen()).toBeNull();
});

test('a sign-out in another tab removes the screen', async () => {
  await open('<p>Bitcoin</p>');
  const tab = new BroadcastChannel('tidemark/sign-out');
  tab.postMessage('user-1');
  vi.useRealTimers();
  await vi.waitFor(() => expect(screen()).toBeNull());
  tab.close();
});

test('the last tap on a button is marked for the app', async () => {
  await open('<button>One</button><button><span>Two</span></button>');
  screen()?.querySelector('button')?.click();
  screen()?.querySelector('span')?.click();
  expect([...document.querySelectorAll('[data-tapped]')].map(({ textContent }) => textContent)).toEqual(['Two']);
});
