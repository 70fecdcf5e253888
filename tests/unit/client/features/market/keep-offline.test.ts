import { afterEach, expect, it, vi } from 'vitest';
import { keepList, keepOffline } from '#client/features/market/keep-offline.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { fakeApi } from '#tests/support/client/fake-api.ts';
import { quote } from '#tests/support/market/quotes.ts';
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

it('keeps a market list for a device that has opened no market, and asks for it once', async () => {
  const list = 'POST /api/coin-market/get-data';
  const coin = { id: 1, name: 'Bitcoin', symbol: 'BTC', rank: 1, quote: { USD: quote({ price: 1 }) } };
  const asked = fakeApi({ [list]: { status: 200, body: { status: 200, data: { data: [coin], source } } } });
  await signIn(makeTokens({ sub: USER }), true);
  await keepList(USER);
  expect((await userDb(USER).coinLists.get('coins/USD/1/100'))?.ids).toEqual([1]);
  await keepList(USER);
  expect(asked.filter(({ call }) => call === list)).toHaveLength(1);
});
