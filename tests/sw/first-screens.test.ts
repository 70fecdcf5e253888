import { afterEach, beforeEach, expect, test } from 'vitest';
import { deviceDb, type ScreenRow } from '#client/platform/db/device-db.ts';
import { storeScreen } from '#client/platform/first-screen/stored-screens.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { signOut } from '#client/platform/session/sign-out.ts';
import { withFirstScreen } from '#sw/first-screens.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { fakeApi } from '#tests/support/client/fake-api.ts';

const MAIN = '<script type="module" crossorigin src="/assets/index-1.js"></script>';
const PRELOAD = '<link rel="modulepreload" crossorigin href="/assets/runtime-1.js">';
const FIRST = '<script src="/assets/first-script-1.js" async></script>';
const SHELL = `<!doctype html><html><head><script src="/theme.js"></script>
  ${MAIN}${PRELOAD}<link rel="stylesheet" crossorigin href="/assets/index-1.css">${FIRST}</head><body><div id="root"></div></body></html>`;

const SCREEN: ScreenRow = {
  address: '/crypto',
  sessionId: 'session-1',
  build: '/assets/index-1.js',
  theme: 'system',
  width: 'narrow',
  zone: '0',
  html: '<p>Bitcoin</p>',
  savedAt: 7,
};

const shell = (html = SHELL) =>
  Promise.resolve(
    new Response(html, { headers: { 'Content-Security-Policy': "script-src 'self'", 'Content-Encoding': 'br', Link: '</a.js>' } }),
  );
const answer = async (address = '/crypto') => (await withFirstScreen(shell(), address)).text();

beforeEach(async () => {
  await signIn(makeTokens(), true);
  await storeScreen(SCREEN);
});
afterEach(endSession);

test('the page has the screen in front of the app, the stylesheet, and no main script yet', async () => {
  const html = await answer();
  expect(html).toContain(
    '<div id="first-screen" data-theme="system" data-width="narrow" data-zone="0" data-session="session-1" data-stored-at="7"><p>Bitcoin</p></div><div id="root"></div>',
  );
  expect(html).not.toContain('type="module"');
  expect(html).not.toContain('modulepreload');
  expect(html).not.toContain('first-1.js');
  expect(html).toContain('<script src="/first-screen.js" data-main="/assets/index-1.js"></script>');
  expect(html.match(/index-1\.css/g)).toHaveLength(1);
});

test('the browser draws no frame with a part of the screen', async () => {
  const html = await answer();
  const head = html.slice(0, html.indexOf('</head>'));
  expect(head).toContain('<link rel="expect" href="#root" blocking="render">');
  expect(html.indexOf('id="first-screen"')).toBeLessThan(html.indexOf('id="root"'));
});

test('the head is sent before the screen has been read', async () => {
  const response = await withFirstScreen(shell(), '/crypto');
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  expect(new TextDecoder().decode(value)).toMatch(/index-1\.css">$/);
});

test('the content policy stays, and headers of the stored bytes go', async () => {
  const { headers } = await withFirstScreen(shell(), '/crypto');
  expect(headers.get('content-security-policy')).toBe("script-src 'self'");
  expect(headers.has('content-encoding')).toBe(false);
  expect(headers.has('link')).toBe(false);
});

test.each<[string, () => unknown]>([
  ['of another address', () => deviceDb.screens.update('/crypto', { address: '/home' })],
  ['of another session', () => deviceDb.screens.put({ ...SCREEN, sessionId: 'session-of-another-user' })],
  ['of another build', () => deviceDb.screens.put({ ...SCREEN, build: '/assets/index-0.js' })],
  ['with markup in its theme', () => deviceDb.screens.put({ ...SCREEN, theme: '"><script>' })],
  ['with markup in its time zone', () => deviceDb.screens.put({ ...SCREEN, zone: '"><script>' })],
  ['of a session that ends with the window', () => deviceDb.session.update('current', { window: 'w' })],
  ['without its session', () => deviceDb.session.clear()],
  ['of a user who signed out', () => signOut()],
])('a screen %s is not shown, and the app starts as usual', async (_name, change) => {
  fakeApi({});
  await change();
  const html = await answer();
  expect(html).not.toContain('first-screen"');
  expect(html).not.toContain('Bitcoin');
  expect(html).toContain(MAIN);
  expect(html).toContain(PRELOAD);
  expect(html).toContain(FIRST);
});

test('without a database the worker creates none', async () => {
  deviceDb.close();
  await deviceDb.delete();
  expect(await answer()).toContain(MAIN);
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('tidemark');
  await deviceDb.open();
});

test('a shell without a main script is answered as it is', async () => {
  const response = await withFirstScreen(shell('<p>Down for maintenance</p>'), '/crypto');
  expect(await response.text()).toBe('<p>Down for maintenance</p>');
});
