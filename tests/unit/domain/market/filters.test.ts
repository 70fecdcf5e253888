import { describe, expect, it } from 'vitest';
import type { Currency, MarketListBody } from '#contract/market/market.ts';
import { passes } from '#domain/market/filters.ts';
import { coinWith } from '#tests/support/market/market.ts';

const coin = coinWith({
  usd: { price: 100, market_cap: 5000, volume_24h: 700, percent_change_24h: -3 },
  btc: { price: 0.001, market_cap: 0.05, volume_24h: 0.007, percent_change_24h: 2 },
});

describe('passes', () => {
  it.each<[MarketListBody, Currency, boolean]>([
    [{}, 'USD', true],
    [{ priceMin: 100, priceMax: 100 }, 'USD', true],
    [{ priceMin: 100.01 }, 'USD', false],
    [{ priceMax: 99.99 }, 'USD', false],
    [{ marketCapMin: 5000 }, 'USD', true],
    [{ marketCapMin: 5001 }, 'USD', false],
    [{ marketCapMax: 4999 }, 'USD', false],
    [{ volume24hMin: 700, volume24hMax: 700 }, 'USD', true],
    [{ volume24hMin: 701 }, 'USD', false],
    [{ volume24hMax: 699 }, 'USD', false],
    [{ percentChange24hMin: -3, percentChange24hMax: -3 }, 'USD', true],
    [{ percentChange24hMin: 0 }, 'USD', false],
    [{ percentChange24hMax: -4 }, 'USD', false],
    [{ priceMin: 1, marketCapMin: 1, volume24hMin: 1, percentChange24hMax: 0 }, 'USD', true],
    [{ priceMin: 1, marketCapMin: 1, volume24hMin: 1000, percentChange24hMax: 0 }, 'USD', false],
  ])('%j in %s: %s', (filters, currency, expected) => expect(passes(coin, filters, currency)).toBe(expected));

  it('reads price, cap and change in the currency shown, and volume always in dollars', () => {
    expect(passes(coin, { priceMax: 0.01 }, 'BTC')).toBe(true);
    expect(passes(coin, { priceMax: 0.01 }, 'USD')).toBe(false);
    expect(passes(coin, { marketCapMax: 1 }, 'BTC')).toBe(true);
    expect(passes(coin, { percentChange24hMin: 0 }, 'BTC')).toBe(true);
    expect(passes(coin, { volume24hMin: 700 }, 'BTC')).toBe(true);
    expect(passes(coin, { volume24hMax: 1 }, 'BTC')).toBe(false);
  });

  it('excludes coins without the figure only if a filter needs it', () => {
    const unknown = coinWith({ usd: { price: 5 } });
    expect(passes(unknown, { priceMin: 1 }, 'USD')).toBe(true);
    expect(passes(unknown, { marketCapMin: 0 }, 'USD')).toBe(false);
    expect(passes(unknown, { marketCapMax: 1e15 }, 'USD')).toBe(false);
  });
});
