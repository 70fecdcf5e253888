import { describe, expect, it } from 'vitest';
import { figure, formatAmount } from '#domain/market/figures.ts';
import { quote } from '#tests/support/market/quotes.ts';

describe('a figure', () => {
  it('is in USD, zero included', () => {
    expect(figure({ USD: quote({ price: 0 }), BTC: quote({ price: 2 }) }, 'price')).toEqual({ value: 0, currency: 'USD' });
  });

  it('is in BTC without a USD figure', () => {
    expect(figure({ USD: quote({}), BTC: quote({ market_cap: 5 }) }, 'market_cap')).toEqual({ value: 5, currency: 'BTC' });
    expect(figure({ BTC: quote({ market_cap: 5 }) }, 'market_cap')).toEqual({ value: 5, currency: 'BTC' });
  });

  it('is unknown without either', () => {
    expect(figure({ USD: quote({}), BTC: quote({}) }, 'price')).toBeUndefined();
    expect(figure({}, 'price')).toBeUndefined();
  });

  it('is written with the sign of its currency', () => {
    expect(formatAmount({ value: 1.9e12, currency: 'USD' })).toBe('$1.9T');
    expect(formatAmount({ value: 19_800_000, currency: 'BTC' })).toBe('₿19.8M');
    expect(formatAmount(undefined)).toBe('–');
  });
});
