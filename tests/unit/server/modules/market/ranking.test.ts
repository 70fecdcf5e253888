import { describe, expect, it } from 'vitest';
import { rank } from '#server/modules/market/ranking.ts';
import { coinWith, stillMarket } from '#tests/support/market/market.ts';

const coins = [
  coinWith({
    symbol: 'OLD',
    dateAdded: '2010-07-13',
    tags: ['mineable'],
    usd: { market_cap: 50, volume_24h: 10, percent_change_24h: 1, volume_change_24h: 0 },
  }),
  coinWith({
    symbol: 'NEW',
    dateAdded: '2025-02-06',
    usd: { market_cap: 10, volume_24h: 40, percent_change_24h: -8, volume_change_24h: 100 },
  }),
  coinWith({
    symbol: 'BIG',
    dateAdded: '2017-01-01',
    tags: ['layer-1'],
    usd: { market_cap: 90, volume_24h: 20, percent_change_24h: 9, volume_change_24h: -50 },
  }),
];
const order = (type: number) => rank(coins, type).map(({ symbol }) => symbol);

describe('rank', () => {
  it.each([
    [1, 'by market cap', ['BIG', 'OLD', 'NEW']],
    [2, 'by movement weighed with growing volume', ['NEW', 'BIG', 'OLD']],
    [3, 'smallest first', ['NEW', 'OLD', 'BIG']],
    [4, 'by volume', ['NEW', 'BIG', 'OLD']],
    [5, 'by the day they were added', ['NEW', 'BIG', 'OLD']],
    [6, 'only coins with a chain of their own, by market cap', ['BIG', 'OLD']],
  ])('%i is %s', (type, _, expected) => expect(order(type)).toEqual(expected));

  it('does not change its input', () => {
    rank(coins, 1);
    expect(coins.map(({ symbol }) => symbol)).toEqual(['OLD', 'NEW', 'BIG']);
  });

  it('puts coins without the figure last', () => {
    const unknown = coinWith({ symbol: 'UNK' });
    expect(rank([unknown, ...coins], 1).at(-1)?.symbol).toBe('UNK');
    expect(rank([unknown, ...coins], 4).at(-1)?.symbol).toBe('UNK');
  });

  it('keeps every coin of the demo market, except tokens in the ranking of blockchains', async () => {
    const { coins: market } = await stillMarket().snapshot();
    for (const type of [1, 2, 3, 4, 5]) expect(new Set(rank(market, type).map(({ id }) => id)).size).toBe(market.length);
    const chains = rank(market, 6).map(({ symbol }) => symbol);
    expect(chains.slice(0, 2)).toEqual(['BTC', 'ETH']);
    expect(chains).not.toContain('USDT');
    expect(chains.length).toBeGreaterThan(20);
  });
});
