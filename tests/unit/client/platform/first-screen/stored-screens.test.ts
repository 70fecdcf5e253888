import { afterEach, expect, test, vi } from 'vitest';
import { deviceDb, type ScreenRow } from '#client/platform/db/device-db.ts';
import { clearScreens, MAX_HTML_LENGTH, storeScreen } from '#client/platform/first-screen/stored-screens.ts';
import { endSession, refresh, signIn } from '#client/platform/session/session.ts';
import { signOut } from '#client/platform/session/sign-out.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { fakeApi, refusal } from '#tests/support/client/fake-api.ts';

const screen = (address: string, row: Partial<ScreenRow> = {}): ScreenRow => ({
  address,
  sessionId: 'session-1',
  build: '/assets/index-1.js',
  theme: 'system',
  width: 'narrow',
  zone: '0',
  html: '<p>Bitcoin</p>',
  savedAt: 1,
  ...row,
});
const addresses = async () => (await deviceDb.screens.toArray()).map(({ address }) => address);

afterEach(async () => {
  await endSession();
  vi.unstubAllGlobals();
});

test('a screen of the remembered session is stored', async () => {
  await signIn(makeTokens(), true);
  await storeScreen(screen('/crypto'));
  expect(await deviceDb.screens.toArray()).toEqual([screen('/crypto')]);
});

test('without a remembered session, or for another one, nothing is stored', async () => {
  await storeScreen(screen('/crypto'));
  await signIn(makeTokens(), false);
  await storeScreen(screen('/crypto'));
  await signIn(makeTokens({ sub: 'user-2' }), true);
  await storeScreen(screen('/crypto', { sessionId: 'session-of-user-1' }));
  expect(await addresses()).toEqual([]);
});

test('a session stored by an earlier version has no screens until its tokens are refreshed', async () => {
  const [old, renewed] = [makeTokens(), makeTokens({ refreshToken: 'refresh-2' })];
  await signIn(old, true);
  await deviceDb.session
    .where('id')
    .equals('current')
    .modify((row) => void delete row.sessionId);
  await storeScreen(screen('/crypto'));
  expect(await addresses()).toEqual([]);
  fakeApi({ 'POST /api/auth/refresh-token/': { status: 200, body: { status: 200, message: 'Refreshed.', data: renewed } } });
  await refresh(old.accessToken);
  await storeScreen(screen('/crypto'));
  expect(await addresses()).toEqual(['/crypto']);
});

test.each<[string, () => Promise<unknown>]>([
  ['a sign-out without a connection', () => signOut()],
  ['a refused session', () => refresh(makeTokens().accessToken)],
  ['a new session', () => signIn(makeTokens({ sub: 'user-2' }), true)],
  ['clearing', () => clearScreens()],
])('%s deletes all screens', async (name, act) => {
  fakeApi(name.includes('refused') ? { 'POST /api/auth/refresh-token/': refusal(401, 'No.') } : {});
  await signIn(makeTokens({ exp: 2_000_000_000 }), true);
  await storeScreen(screen('/crypto'));
  if (name.includes('refused')) await signIn(makeTokens(), true).then(() => storeScreen(screen('/crypto')));
  expect(await addresses()).toEqual(['/crypto']);
  await act();
  expect(await addresses()).toEqual([]);
});

test('coins and addresses with a search give way to the pages that users start with, the oldest first', async () => {
  await signIn(makeTokens(), true);
  const kept = ['/home', '/crypto', '/archive', '/chat/archive/one'];
  for (const [at, address] of kept.entries()) await storeScreen(screen(address, { savedAt: at }));
  const many = Array.from({ length: 20 }, (_, at) => (at % 2 ? `/crypto/details/${at}` : `/crypto?top=${at}`));
  for (const [at, address] of many.entries()) await storeScreen(screen(address, { savedAt: 100 + at }));
  expect((await addresses()).sort()).toEqual([...kept, ...many.slice(-10)].sort());
  await storeScreen(screen('/settings/account', { savedAt: 99 }));
  expect((await addresses()).sort()).toEqual([...kept, '/settings/account', ...many.slice(-9)].sort());
});

test('earlier conversations and huge screens are not kept', async () => {
  await signIn(makeTokens(), true);
  await storeScreen(screen('/chat/archive/one', { savedAt: 90 }));
  await storeScreen(screen('/chat/archive/two', { savedAt: 91 }));
  await storeScreen(screen('/home', { html: 'x'.repeat(MAX_HTML_LENGTH + 1) }));
  expect(await addresses()).toEqual(['/chat/archive/two']);
});
