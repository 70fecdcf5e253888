import { describe, expect, it } from 'vitest';
import { changedSearch, DEFAULT_CHOICE, filterRequest, type ListChoice, readChoice } from '#domain/market/list-address.ts';

const full: ListChoice = {
  currency: 'BTC',
  ranking: 2,
  top: 20,
  period: '7d',
  filters: { marketCapMin: '1000000', priceMax: '0.5', volume24hMin: '2', percentChange24hMin: '-10' },
};
const fullSearch = '?currency=BTC&ranking=2&top=20&period=7d&capMin=1000000&priceMax=0.5&volumeMin=2&changeMin=-10';

describe('the address of a list', () => {
  it('round-trips a choice', () => {
    expect(changedSearch('', full)).toBe(fullSearch);
    expect(readChoice(fullSearch)).toEqual(full);
  });

  it('omits defaults', () => {
    expect(changedSearch('', DEFAULT_CHOICE)).toBe('');
    expect(changedSearch(fullSearch, DEFAULT_CHOICE)).toBe('');
    expect(changedSearch(fullSearch, { period: '24h', filters: {} })).toBe('?currency=BTC&ranking=2&top=20');
  });

  it('keeps unknown parameters', () => {
    expect(changedSearch('?q=bit%20coin&top=5', { currency: 'BTC' })).toBe('?q=bit+coin&currency=BTC&top=5');
  });

  it.each([
    '',
    '?',
    '?currency=EUR&ranking=7&top=30&period=1w',
    '?currency=btc&ranking=02&top=5.0&period=24H',
    '?currency[]=BTC&top=',
    '?capMin=&capMax=abc&priceMin=-1&priceMax=1e3&volumeMin=25&volumeMax=1.5&changeMin=-101&changeMax=%2B5',
    '?priceMin=.&priceMax=007&changeMin=-&changeMax=NaN&volumeMin=Infinity',
    '?top=%E0%A4%A&__proto__=1&priceMin=99999999999999999999999999',
  ])('is the default for %j', (search) => {
    expect(readChoice(search)).toEqual(DEFAULT_CHOICE);
    expect(changedSearch(search, {})).not.toMatch(/currency=|ranking|top|period|Min|Max/);
  });

  it('reads the valid part of a bad query', () => {
    expect(readChoice('?top=5&ranking=nine&priceMin=2&priceMax=x')).toEqual({ ...DEFAULT_CHOICE, top: 5, filters: { priceMin: '2' } });
  });
});

describe('the filters of a request', () => {
  it('are numbers, with volumes in dollars', () => {
    expect(filterRequest({ ...full.filters, volume24hMax: '24' })).toEqual({
      marketCapMin: 1_000_000,
      priceMax: 0.5,
      volume24hMin: 2_000_000_000,
      volume24hMax: 24_000_000_000,
      percentChange24hMin: -10,
    });
  });

  it('are empty if none is set', () => {
    expect(filterRequest({})).toEqual({});
  });
});
