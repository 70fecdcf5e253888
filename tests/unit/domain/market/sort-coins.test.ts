import { describe, expect, it } from 'vitest';
import type { CryptoItem } from '#contract/market/market.ts';
import { changedSearch, readChoice } from '#domain/market/list-address.ts';
import { topMovers } from '#domain/market/movers.ts';
import { sortCoins } from '#domain/market/sort-coins.ts';
import { quote } from '#tests/support/market/quotes.ts';

const coin = (id: number, name: string, price: number | null, change: number | null): CryptoItem => ({
  id,
  name,
  symbol: name,
  rank: id,
  quote: { USD: quote({ price, percent_change_24h: change, volume_24h: price, market_cap: price }) },
});
const coins = [coin(1, 'Bitcoin', 100, 1), coin(2, 'Aave', null, null), coin(3, 'Cardano', 300, -2), coin(4, 'Dash', 200, 5)];
const order = (sort: string) => sortCoins(coins, sort, 'USD').map(({ id }) => id);

describe('sortCoins', () => {
  it.each([
    ['price', [3, 4, 1, 2]],
    ['-price', [1, 4, 3, 2]],
    ['24h', [4, 1, 3, 2]],
    ['-volume', [1, 4, 3, 2]],
    ['cap', [3, 4, 1, 2]],
    ['-name', [2, 1, 3, 4]],
    ['name', [4, 3, 1, 2]],
  ])('by %s: %j, unknown figures last', (sort, expected) => expect(order(sort)).toEqual(expected));

  it.each(['', 'rank', '--price', 'price; drop', '__proto__'])('keeps the order for %j', (sort) =>
    expect(order(sort)).toEqual([1, 2, 3, 4]),
  );

  it('is kept in the address like the filters', () => {
    expect(changedSearch('?top=5', { sort: '-24h' })).toBe('?top=5&sort=-24h');
    expect(readChoice('?sort=-24h').sort).toBe('-24h');
    expect(readChoice(`?sort=${'x'.repeat(100_000)}`).sort).toBeUndefined();
    expect(changedSearch('?sort=price', { sort: '' })).toBe('');
  });
});

describe('topMovers', () => {
  it('has the coins that rose most, then those that fell most', () => {
    expect(topMovers(coins, 1).map(({ id }) => id)).toEqual([4, 3]);
    expect(topMovers(coins, 3).map(({ id }) => id)).toEqual([4, 1, 3]);
    expect(topMovers([], 3)).toEqual([]);
  });
});
