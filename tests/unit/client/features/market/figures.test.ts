import { describe, expect, it } from 'vitest';
import { coinLinks } from '../../../../../src/client/features/market/coin-links';
import { MOST_STATISTICS, statistics } from '../../../../../src/client/features/market/statistics';
import { figure, formatAmount, volumeToCap } from '../../../../../src/domain/figures';
import { quote } from '../../../../support/quotes';
import { coin, details } from './fake-market';

describe('a figure', () => {
  it('is the one in USD, zero included', () => {
    expect(figure({ USD: quote({ price: 0 }), BTC: quote({ price: 2 }) }, 'price')).toEqual({ value: 0, currency: 'USD' });
  });

  it('is the one in BTC where USD has none', () => {
    expect(figure({ USD: quote({}), BTC: quote({ market_cap: 5 }) }, 'market_cap')).toEqual({ value: 5, currency: 'BTC' });
    expect(figure({ BTC: quote({ market_cap: 5 }) }, 'market_cap')).toEqual({ value: 5, currency: 'BTC' });
  });

  it('is unknown where neither has one', () => {
    expect(figure({ USD: quote({}), BTC: quote({}) }, 'price')).toBeUndefined();
    expect(figure({}, 'price')).toBeUndefined();
  });

  it('is written with the sign of its currency', () => {
    expect(formatAmount({ value: 1.9e12, currency: 'USD' })).toBe('$1.9T');
    expect(formatAmount({ value: 19_800_000, currency: 'BTC' })).toBe('₿19.8M');
    expect(formatAmount(undefined)).toBe('–');
  });
});

describe('volume to market cap', () => {
  it('never divides one currency by the other', () => {
    const quotes = { USD: quote({ volume_24h: 10 }), BTC: quote({ volume_24h: 1, market_cap: 4 }) };
    expect(volumeToCap(quotes)).toBe('25.00%');
  });

  it('is unknown without a cap', () => {
    expect(volumeToCap({ USD: quote({ volume_24h: 10, market_cap: 0 }) })).toBeUndefined();
  });
});

describe('the statistics', () => {
  const labels = (...parameters: Parameters<typeof statistics>) => statistics(...parameters).map(({ label }) => label);

  it('are all there when nothing is missing', () => {
    const full = coin(1, 'Bitcoin', 'BTC', {
      quote: {
        USD: quote({
          market_cap: 1_955_629_139_067,
          volume_24h: 31_959_899_375,
          volume_change_24h: 19.3176,
          fully_diluted_market_cap: 2_071_308_984_082,
        }),
      },
    });
    const all = statistics(
      full,
      details(full, { circulating_supply: 19_827_178, total_supply: 19_827_178, max_supply: 21_000_000, ratingScore: 4.5 }),
    );
    expect(all).toHaveLength(MOST_STATISTICS);
    expect(Object.fromEntries(all.map(({ label, text }) => [label, text]))).toEqual({
      'Market Cap': '$2.0T',
      'Volume 24h': '$32.0B',
      'Vol/Mkt Cap': '1.63%',
      'Fully Diluted Market Cap': '$2.1T',
      'Volume Change 24h': '+19.32%',
      Rank: '#1',
      UCID: '1',
      'Circulating Supply': '19.8M BTC',
      'Total Supply': '19.8M BTC',
      'Max Supply': '21.0M BTC',
      Rating: '4.5',
    });
  });

  it('leave out what is missing', () => {
    const bare = coin(7, 'Bare', 'BARE', { rank: null, quote: {} });
    expect(labels(bare, details(bare))).toEqual(['UCID']);
  });

  it('fall back to BTC, figure by figure', () => {
    const mixed = coin(7, 'Mixed', 'MIX', {
      quote: { USD: quote({ volume_24h: 3000 }), BTC: quote({ market_cap: 1500, fully_diluted_market_cap: 2500, volume_24h: 9 }) },
    });
    const texts = statistics(mixed, undefined).map(({ text }) => text);
    expect(texts.slice(0, 4)).toEqual(['₿1.5K', '$3.0K', '0.60%', '₿2.5K']);
  });

  it('begin with what the list knows, so that nothing moves when the rest arrives', () => {
    const known = coin(1, 'Bitcoin', 'BTC');
    const early = labels(known, undefined);
    const late = labels(known, details(known, { total_supply: 5, ratingScore: 1 }));
    expect(late.slice(0, early.length)).toEqual(early);
    expect(late.length).toBeGreaterThan(early.length);
  });
});

describe('the links of a coin', () => {
  it('are those that are there, in their order', () => {
    const links = coinLinks(details(coin(1, 'A', 'A'), { explorerUrl: 'https://explorer.example/', websiteUrl: 'http://a.example' }));
    expect(links).toEqual([
      { label: 'Website', href: 'http://a.example' },
      { label: 'Explorer', href: 'https://explorer.example/' },
    ]);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', '/settings', 'a.example', '', 'https://'])('are not made of %j', (websiteUrl) => {
    expect(coinLinks(details(coin(1, 'A', 'A'), { websiteUrl }))).toEqual([]);
  });
});
