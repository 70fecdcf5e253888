import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deviceDb } from '#client/platform/db/device-db.ts';
import { keepScreen, startKeepingScreens } from '#client/platform/first-screen/keep-screens.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';

const screens = () => deviceDb.screens.toArray();

// Nothing is loaded: the addresses alone count.
const { happyDOM } = window as unknown as { happyDOM: { settings: { handleDisabledFileLoadingAsSuccess: boolean } } };
happyDOM.settings.handleDisabledFileLoadingAsSuccess = true;

/** happy-dom has no layout: every element is in the first screen. */
const rects = Element.prototype.getClientRects;

beforeEach(async () => {
  Element.prototype.getClientRects = () => [{}] as unknown as DOMRectList;
  document.head.innerHTML = '';
  document.body.innerHTML = `<div id="root"><div data-tabs="true" class="_frame_a1"><a href="/crypto/details/1">Bitcoin</a></div><dialog></dialog></div>`;
  const script = document.createElement('script');
  script.setAttribute('type', 'module');
  script.setAttribute('src', '/assets/index-1.js');
  document.head.append(script);
  history.replaceState(null, '', '/crypto');
  await signIn(makeTokens(), true);
});
afterEach(async () => {
  Element.prototype.getClientRects = rects;
  await endSession();
});

test('a page is stored with what it must match', async () => {
  expect(await keepScreen(5)).toBe(true);
  expect(await screens()).toEqual([
    {
      address: '/crypto',
      sessionId: 'session-1',
      build: '/assets/index-1.js',
      theme: 'system',
      width: 'wide',
      zone: String(new Date().getTimezoneOffset()),
      html: '<div data-tabs="true" class="_frame_a1"><a href="/crypto/details/1">Bitcoin</a></div>',
      savedAt: 5,
    },
  ]);
});

test.each(['/settings/profile', '/settings/storage', '/trading-bot', '/chat', '/crypto/crypto-search', '/login'])(
  '%s is not stored',
  async (path) => {
    history.replaceState(null, '', path);
    await keepScreen();
    expect(await screens()).toEqual([]);
  },
);

test.each([
  ['a skeleton', '<span data-skeleton=""></span>'],
  ['an error', '<div role="alert">The market could not be loaded</div>'],
])('%s postpones the storing', async (_name, html) => {
  const page = document.querySelector('[data-tabs]') as HTMLElement;
  page.insertAdjacentHTML('beforeend', html);
  const added = page.lastElementChild as HTMLElement;
  added.getBoundingClientRect = () => ({ top: 10, bottom: 20, width: 10 }) as DOMRect;
  expect(await keepScreen()).toBe(false);
  expect(await screens()).toEqual([]);
});

test('a search, whose text the page repeats, and an open dialog are not stored', async () => {
  const page = document.querySelector('[data-tabs]') as HTMLElement;
  page.insertAdjacentHTML('beforeend', '<input type="search"><p>No chat mentions "secret".</p>');
  (page.querySelector('input') as HTMLInputElement).value = 'secret';
  await keepScreen();
  expect(await screens()).toEqual([]);
  (page.querySelector('input') as HTMLInputElement).value = '';
  document.querySelector('dialog')?.setAttribute('open', '');
  await keepScreen();
  expect(await screens()).toEqual([]);
});

test('a page with an amount in a field is stored without it', async () => {
  document.querySelector('[data-tabs]')?.insertAdjacentHTML('beforeend', '<input inputmode="decimal" value="12345">');
  await keepScreen();
  expect(await screens()).toMatchObject([{ html: expect.stringMatching(/<input readonly>/) }]);
});

test('an open menu, which the screen would show as a part of the page, is not stored', async () => {
  document.querySelector('[data-tabs]')?.insertAdjacentHTML('beforeend', '<div role="menu" popover="manual"><button>Delete</button></div>');
  await keepScreen();
  expect(await screens()).toEqual([]);
});

test('a screen that the worker has drawn is not stored again', async () => {
  document.body.insertAdjacentHTML('afterbegin', '<div id="first-screen"></div>');
  expect(await keepScreen()).toBe(false);
  expect(await screens()).toEqual([]);
});

test('a user who is signed out, or whose session ends with the window, has no stored screen', async () => {
  await endSession();
  await keepScreen();
  await signIn(makeTokens(), false);
  await keepScreen();
  expect(await screens()).toEqual([]);
});

test('a hidden page is stored, and a page that the user leaves is not', async () => {
  startKeepingScreens();
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  dispatchEvent(new Event('pagehide'));
  document.dispatchEvent(new Event('visibilitychange'));
  dispatchEvent(new Event('pageshow'));
  history.replaceState(null, '', '/home');
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.waitFor(async () => expect((await screens()).map(({ address }) => address)).toEqual(['/home']));
});
