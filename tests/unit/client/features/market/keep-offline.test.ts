import { afterEach, expect, it, vi } from 'vitest';
import { keepOffline } from '#client/features/market/keep-offline.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { fakeApi } from '#tests/support/client/fake-api.ts';
import { source } from './fake-market.tsx';

const USER = 'offline-reader';
const CALL = 'GET /api/coin-market/global';
const data = {
  market_cap: 2.9e12,
  market_cap_change_24h: -0.9,
  btc_dominance: 57.6,
  btc_dominance_change_24h: 0.2,
  coins: 100,
  source,
};

afterEach(async () => {
  await endSession();
  vi.unstubAllGlobals();
});

it('keeps the figures of Home on the device before its first visit, and asks for them once', async () => {
  const asked = fakeApi({ [CALL]: { status: 200, body: { status: 200, data } } });
  await signIn(makeTokens({ sub: USER }), true);
  const totals = async () => (await userDb(USER).coinLists.get('market/totals'))?.totals?.market_cap;
  await keepOffline(USER);
  expect(await totals()).toBe(2.9e12);
  await keepOffline(USER);
  expect(asked.filter(({ call }) => call === CALL)).toHaveLength(1);
});
