import { describe, expect, it } from 'vitest';
import { searchCoins } from '#domain/market/coin-search.ts';
import { stillMarket } from '#tests/support/market/market.ts';

const coins = stillMarket().known();
const names = (text: string) => searchCoins(coins, text).map(({ name }) => name);

describe('searchCoins', () => {
  it.each(['', ' ', '   '])('answers %j with the top coins', (text) => {
    expect(names(text).slice(0, 2)).toEqual(['Bitcoin', 'Ethereum']);
    expect(names(text)).toHaveLength(20);
  });

  it('finds by name and by symbol, ignoring case and accents', () => {
    for (const text of ['bitcoin', 'BITCOIN', 'Bítcoîn', 'btc', ' BTC ']) expect(names(text)[0]).toBe('Bitcoin');
  });

  it('puts an exact symbol before an exact name, a beginning before a middle, and larger coins first', () => {
    expect(searchCoins(coins, 'sui')[0]?.symbol).toBe('SUI');
    expect(names('bitcoin')).toEqual(['Bitcoin', 'Bitcoin Cash', 'Bitcoin SV']);
    expect(names('eth')[0]).toBe('Ethereum');
    expect(names('eth').indexOf('Ethereum Classic')).toBeLessThan(names('eth').indexOf('Tether USDt'));
    expect(names('graph')).toEqual(['The Graph']);
    expect(names('coin').indexOf('Dogecoin')).toBeLessThan(names('coin').indexOf('Filecoin'));
  });

  it('finds nothing for unknown text, and treats patterns as text', () => {
    for (const text of ['zzzz', '.*', '%%', '^b', '\\']) expect(names(text)).toEqual([]);
  });

  it('forgives typos as the analyst does, in a name and in a word of it, if nothing contains the text', () => {
    expect(names('etherum')).toEqual(['Ethereum', 'Ethereum Classic', 'Ethereum Name Service']);
    expect(names('Bitcion')[0]).toBe('Bitcoin');
    expect(names('dogecion')).toEqual(['Dogecoin']);
    expect(names('chainlnk')[0]).toBe('Chainlink');
    // A beginning is no typo, and a name that contains the text comes alone.
    expect(names('graph')).toEqual(['The Graph']);
    expect(names('citcoin')).toEqual([]);
  });

  it.each(['x'.repeat(100_000), `bitcoin ${'a '.repeat(50_000)}`])('finds nothing in a long text', (text) =>
    expect(names(text)).toEqual([]),
  );

  it('returns the coins of the list', () => expect(searchCoins(coins, 'btc')[0]).toBe(coins[0]));
});
