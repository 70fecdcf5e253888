import { render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MarketTiles } from '#client/features/market/home/market-tiles.tsx';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { alone, closeMarket, type FakeMarket, openMarket, source } from '../fake-market.tsx';

let market: FakeMarket;
let db: UserDb;

beforeEach(async () => {
  ({ market, db } = await openMarket());
});
afterEach(closeMarket);

const totals = {
  market_cap: 3.2e12,
  market_cap_change_24h: 1.25,
  btc_dominance: 58.123,
  btc_dominance_change_24h: -0.4,
  coins: 100,
  source,
};
const tile = (name: RegExp) => screen.getByRole('link', { name }).textContent;

it('the tiles show market cap and dominance with their changes, offline from the device', async () => {
  const { fetch } = market;
  market.fetch = async (input, init) =>
    String(input).endsWith('/coin-market/global') && !market.offline
      ? new Response(JSON.stringify({ status: 200, data: totals }), { headers: { 'Content-Type': 'application/json' } })
      : fetch(input, init);
  const first = render(alone(<MarketTiles />));
  await waitFor(() => expect(tile(/^Market cap/)).toBe('Market cap$3.2Tup 1.25%'));
  expect(tile(/^BTC dominance/)).toBe('BTC dominance58.12%down 0.40 pts');
  await waitFor(async () => expect((await db.coinLists.get('market/totals'))?.totals).toEqual(totals));
  first.unmount();
  market.offline = true;
  render(alone(<MarketTiles />));
  await waitFor(() => expect(tile(/^Market cap/)).toBe('Market cap$3.2Tup 1.25%'));
});

it('the tiles show dashes for what is unknown', async () => {
  render(alone(<MarketTiles />));
  await waitFor(() => expect(tile(/^Market cap/)).toBe('Market cap––'));
});
