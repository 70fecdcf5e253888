import { expect, it } from 'vitest';
import { withTick } from '#domain/market/ticks.ts';
import { quote } from '#tests/support/market/quotes.ts';

const tick = {
  id: 1,
  quote: {
    USD: { price: 2, market_cap: 20, percent_change_24h: 1 },
    BTC: { price: 0.2, market_cap: null, percent_change_24h: null },
  },
};

it('merges changed figures and keeps the rest', () => {
  const quotes = { USD: quote({ price: 1, volume_24h: 7 }), BTC: quote({ price: 0.1, market_cap: 3 }) };
  expect(withTick(quotes, tick)).toEqual({
    USD: quote({ price: 2, market_cap: 20, percent_change_24h: 1, volume_24h: 7 }),
    BTC: quote({ price: 0.2, market_cap: null, percent_change_24h: null }),
  });
});

it('adds no currency, and changes nothing without a tick', () => {
  expect(withTick({ BTC: quote({}) }, tick).USD).toBeUndefined();
  const quotes = { USD: quote({ price: 1 }) };
  expect(withTick(quotes, undefined)).toBe(quotes);
});
