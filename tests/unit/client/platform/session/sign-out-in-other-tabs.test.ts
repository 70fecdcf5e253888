import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listedCoin, useListedCoins } from '#client/coins/listed-coins.ts';
import { heldDraft, saveDrafts, writeDraft } from '#client/features/chat/compose/drafts.ts';
import { recall, remember } from '#client/platform/cache/memory.ts';
import { readAhead, resultAhead } from '#client/platform/cache/read-ahead.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { history } from '#client/platform/router/history.ts';
import { currentTokens, currentUserId, endSession, refresh, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { fakeApi, refusal } from '#tests/support/client/fake-api.ts';

beforeEach(async () => {
  fakeApi({ 'POST /api/auth/refresh-token/': refusal(401, 'No.') });
  vi.stubGlobal('scrollTo', () => {});
  await signIn(makeTokens({ sub: 'ada' }), true);
});
afterEach(async () => {
  history.replace('/');
  await endSession();
  vi.unstubAllGlobals();
});

/** The server refuses to renew the tab's session. */
async function refuse() {
  await refresh(currentTokens()?.accessToken ?? '');
  expect(currentUserId()).toBeUndefined();
}
const signInBob = () => signIn(makeTokens({ sub: 'bob' }), true);
const refuseAndSignIn = () => refuse().then(signInBob);

it.each([
  ['whose session replaces that of the user before', signInBob],
  ['after the server refused the session of the user before', refuseAndSignIn],
])('the next user of the tab, %s, finds nothing of them in memory', async (_case, change) => {
  history.replace('/crypto?price_min=7');
  history.push('/home');
  remember('coin', 1);
  await readAhead('ada', [{ key: 'count', query: async () => 1 }]);
  renderHook(() =>
    useListedCoins('ada', {
      coins: [{ id: 1, symbol: 'BTC', name: 'Bitcoin', rank: 1, quote: {} }],
      source: undefined,
      savedAt: undefined,
    }),
  ).unmount();
  expect([recall('coin'), resultAhead('ada', 'count'), listedCoin('ada', 1)]).not.toContain(undefined);

  await change();
  expect(currentUserId()).toBe('bob');
  expect([recall('coin'), resultAhead('ada', 'count'), listedCoin('ada', 1)]).toEqual([undefined, undefined, undefined]);
  history.returnTo('/crypto');
  expect(window.location.search).toBe('');
});

it('the same user finds the place again with a renewed session', async () => {
  history.replace('/crypto?price_min=7');
  history.push('/home');
  await signIn(makeTokens({ sub: 'ada', refreshToken: 'refresh-2' }), true);
  history.returnTo('/crypto');
  expect(window.location.search).toBe('?price_min=7');
});

it('a refused session keeps the drafts that are not saved yet', async () => {
  const draft = { text: 'Half a thought', imageId: null, editing: null };
  writeDraft(userDb('ada'), 'new', draft);
  await refuse();
  expect(heldDraft(userDb('ada'), 'new')).toEqual(draft);
  await saveDrafts();
});
