import { describe, expect, it } from 'vitest';
import { changeSince, chartSpan } from '#client/features/market/chart/coin-chart-periods.ts';
import { providerSymbol, readProviderMessage } from '#client/features/market/chart/provider/coin-chart-provider.ts';
import { coinLinks } from '#client/features/market/coin/coin-links.ts';
import { MAX_STATISTICS, statistics } from '#client/features/market/coin/statistics.ts';
import { DAY } from '#domain/clock.ts';
import { dailyCandles } from '#tests/support/market/daily-candles.ts';
import { quote } from '#tests/support/market/quotes.ts';
import { coin, details } from '../fake-market.tsx';

const figures = (item: ReturnType<typeof coin>, more: Parameters<typeof details>[1] = {}) =>
  Object.fromEntries(statistics(item, details(item, more)).map(({ label, text }) => [label, text]));

describe('the statistics of a coin', () => {
  const full = coin(1, 'Bitcoin', 'BTC', {
    quote: {
      USD: quote({
        price: 1,
        market_cap: 2e12,
        volume_24h: 32e9,
        volume_change_24h: -7.25,
        fully_diluted_market_cap: 2.1e12,
      }),
    },
  });

  it('are complete if the data is', () => {
    const shown = figures(full, { circulating_supply: 19_827_178, total_supply: 19_827_178, max_supply: 21e6, ratingScore: 4.5 });
    expect(shown).toEqual({
      'Market Cap': '$2.0T',
      'Volume 24h': '$32.0B',
      'Vol/Mkt Cap': '1.60%',
      'Fully Diluted Market Cap': '$2.1T',
      'Volume Change 24h': '-7.25%',
      Rank: '#1',
      UCID: '1',
      'Circulating Supply': '19.8M BTC',
      'Total Supply': '19.8M BTC',
      'Max Supply': '21.0M BTC',
      Rating: '4.5',
    });
    expect(Object.keys(shown)).toHaveLength(MAX_STATISTICS);
  });

  it('are in BTC if USD is missing', () => {
    const item = coin(2, 'Two', 'TWO', {
      quote: { USD: quote({ market_cap: null }), BTC: quote({ market_cap: 19.8e6, volume_24h: 198_000, fully_diluted_market_cap: 21e6 }) },
    });
    expect(figures(item)).toMatchObject({
      'Market Cap': '₿19.8M',
      'Volume 24h': '₿198.0K',
      'Vol/Mkt Cap': '1.00%',
      'Fully Diluted Market Cap': '₿21.0M',
    });
  });

  it('fall back to BTC, figure by figure', () => {
    const mixed = coin(7, 'Mixed', 'MIX', {
      quote: { USD: quote({ volume_24h: 3000 }), BTC: quote({ market_cap: 1500, fully_diluted_market_cap: 2500, volume_24h: 9 }) },
    });
    const texts = statistics(mixed, undefined).map(({ text }) => text);
    expect(texts.slice(0, 4)).toEqual(['₿1.5K', '$3.0K', '0.60%', '₿2.5K']);
  });

  it('start with those of the list, so that nothing moves when the details load', () => {
    const known = coin(1, 'Bitcoin', 'BTC');
    const [early, late] = [undefined, details(known, { total_supply: 5, ratingScore: 1 })].map((more) =>
      statistics(known, more).map(({ label }) => label),
    );
    expect(late?.slice(0, early?.length)).toEqual(early);
    expect(late?.length).toBeGreaterThan(early?.length ?? 0);
  });

  it('leave out what is missing', () => {
    expect(figures(coin(3, 'Three', 'THREE', { rank: null, quote: {} }))).toEqual({ UCID: '3' });
  });
});

describe('the links of a coin', () => {
  const links = (more: Parameters<typeof details>[1]) => coinLinks(details(coin(1, 'Bitcoin', 'BTC'), more));

  it('are HTTP addresses only', () => {
    expect(links({ explorerUrl: 'http://blockchain.info/', websiteUrl: 'https://bitcoin.org/' })).toEqual([
      { label: 'Website', href: 'https://bitcoin.org/' },
      { label: 'Explorer', href: 'http://blockchain.info/' },
    ]);
    expect(links({})).toEqual([]);
  });

  it.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    '/settings',
    'bitcoin.org',
    '',
    'https://',
    'file:///etc/passwd',
  ])('leave out %j', (address) => {
    expect(links({ websiteUrl: address, redditUrl: address })).toEqual([]);
  });
});

describe('the name of a coin at the charting provider', () => {
  it.each([
    ['BTC', 'BTCUSD'],
    ['USDe', 'USDEUSD'],
    ['1INCH', '1INCHUSD'],
    ['$WIF', undefined],
    ['币安人生', undefined],
    ['A&b=c', undefined],
    ['', undefined],
    ['ABCDEFGHIJKLMNOP', undefined],
  ])('of %j is %j', (symbol, name) => {
    expect(providerSymbol(symbol)).toBe(name);
  });

  it.each([null, 'chart-ready', { type: 'chart' }, { type: ['chart-ready'] }, [], 7])('is not taken from the message %j', (data) => {
    expect(readProviderMessage(data)).toBeUndefined();
  });
});

describe('a period of the chart', () => {
  it('sums up its candles', () => {
    const { candles } = dailyCandles(10);
    expect(chartSpan(candles.slice(-2), DAY)).toEqual({
      from: Date.UTC(2023, 0, 9),
      to: Date.UTC(2023, 0, 10),
      high: 114,
      low: 103,
      close: 109,
      change: (109 / 107 - 1) * 100,
      gap: undefined,
    });
    expect(chartSpan(candles, DAY)?.low).toBe(95);
    expect(chartSpan([], DAY)).toBeUndefined();
  });

  it('names the longest gap', () => {
    const { candles } = dailyCandles(20);
    candles.splice(15, 1);
    candles.splice(5, 4);
    expect(chartSpan(candles, DAY)?.gap).toEqual({ after: Date.UTC(2023, 0, 5), before: Date.UTC(2023, 0, 10) });
  });

  it('compares from the start of the other chart', () => {
    const { candles } = dailyCandles(20);
    const from = candles[10]?.time ?? 0;
    expect(changeSince(candles, from)).toBeCloseTo(((candles.at(-1)?.close ?? 0) / (candles[10]?.open ?? 1) - 1) * 100);
    expect(changeSince(candles, Date.UTC(2030, 0, 1))).toBeUndefined();
    expect(changeSince([], 0)).toBeUndefined();
  });
});
