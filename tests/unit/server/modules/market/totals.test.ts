import { expect, it } from 'vitest';
import { totalsOf } from '#server/modules/market/totals.ts';
import { coinWith } from '#tests/support/market/market.ts';

const source = { name: 'A source', demo: false, asOf: '2026-05-14T00:00:00.000Z' };
const coin = (id: number, market_cap: number | null, percent_change_24h: number | null) =>
  coinWith({ id, usd: { market_cap, percent_change_24h } });

it('sums up the coins whose cap is known, and compares them with a day ago', () => {
  // A day ago: 500 and 400.
  const totals = totalsOf({ source, coins: [coin(1, 600, 20), coin(2, 300, -25), coin(3, null, 5)] });
  expect(totals).toMatchObject({ market_cap: 900, coins: 2, source });
  expect(totals.market_cap_change_24h).toBeCloseTo(0, 10);
  expect(totals.btc_dominance).toBeCloseTo(66.667, 3);
  expect(totals.btc_dominance_change_24h).toBeCloseTo(66.667 - 55.556, 3);
});

it('leaves coins without a change out of the comparison, but not out of the sum', () => {
  const totals = totalsOf({ source, coins: [coin(1, 110, 10), coin(2, 50, null), coin(3, 1, -100)] });
  expect(totals.market_cap).toBe(161);
  expect(totals.market_cap_change_24h).toBeCloseTo(10, 10);
  expect(totals.btc_dominance_change_24h).toBeCloseTo(0, 10);
});

it('knows nothing of an empty market, and no dominance without Bitcoin', () => {
  const nothing = { market_cap: null, market_cap_change_24h: null, btc_dominance: null, btc_dominance_change_24h: null };
  expect(totalsOf({ source, coins: [] })).toMatchObject({ ...nothing, coins: 0 });
  expect(totalsOf({ source, coins: [coin(2, 50, 1)] })).toMatchObject({ btc_dominance: null, btc_dominance_change_24h: null, coins: 1 });
});
