import { beforeEach, describe, expect, it } from 'vitest';
import { PERIODS } from '#contract/market/choices.ts';
import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import { readBundledMarket } from '#server/ports/market-data/bundled.ts';
import { createDemoMarket } from '#server/ports/market-data/demo-market.ts';
import { PERIOD_MS, weekStart } from '#server/ports/market-data/demo-walk.ts';
import type { MarketData, MarketSnapshot } from '#server/ports/market-data/market-data.ts';

const MONDAY = Date.UTC(2026, 4, 11);
const TICK = 5000;

let now: number;
let market: MarketData;
const at = (time: number): Promise<MarketSnapshot> => {
  now = time;
  return market.snapshot();
};
const coin = (snapshot: MarketSnapshot, symbol: string) => {
  const found = snapshot.coins.find((candidate) => candidate.symbol === symbol);
  if (!found) throw new Error(`no ${symbol}`);
  return found;
};
const value = (figure: number | null): number => figure ?? Number.NaN;
/** Relative: figures are rounded to ten digits. */
const expectNear = (actual: number | null, expected: number) => expect(value(actual) / expected).toBeCloseTo(1, 6);

beforeEach(() => {
  now = MONDAY + 3 * DAY + 7 * HOUR;
  market = createDemoMarket({ clock: () => now, seed: 1, tickMs: TICK });
});

describe('the demo market', () => {
  it('has at least 100 coins with CoinMarketCap ids, largest first, and names its source as a demo', async () => {
    const { coins, source } = await market.snapshot();
    expect(coins.length).toBeGreaterThanOrEqual(100);
    expect(new Set(coins.map(({ id }) => id)).size).toBe(coins.length);
    expect(coin({ coins, source }, 'BTC').id).toBe(1);
    expect(coin({ coins, source }, 'ETH').id).toBe(1027);
    expect(coins.map(({ rank }) => rank)).toEqual(coins.map((_, index) => index + 1));
    expect(coins.map(({ quote }) => value(quote.USD.market_cap))).toEqual(
      coins.map(({ quote }) => value(quote.USD.market_cap)).toSorted((a, b) => b - a),
    );
    expect(source).toMatchObject({ name: 'Demo snapshot of 21 Feb 2025', demo: true });
  });

  it('has every figure in both currencies', async () => {
    for (const { quote } of (await market.snapshot()).coins)
      for (const figures of [quote.USD, quote.BTC]) for (const figure of Object.values(figures)) expect(Number.isFinite(figure)).toBe(true);
  });

  it('is constant within a tick, and returns the same object', async () => {
    const start = MONDAY + DAY;
    const first = await at(start);
    expect(await at(start + TICK - 1)).toBe(first);
    expect(first.source.asOf).toBe(new Date(start).toISOString());
    const second = await at(start + TICK);
    expect(second.source.asOf).toBe(new Date(start + TICK).toISOString());
    expect(coin(second, 'BTC').quote.USD.price).not.toBe(coin(first, 'BTC').quote.USD.price);
  });

  it('depends only on seed and time, in every process', async () => {
    const again = createDemoMarket({ clock: () => now, seed: 1, tickMs: TICK });
    const other = createDemoMarket({ clock: () => now, seed: 2, tickMs: TICK });
    expect(await again.snapshot()).toEqual(await market.snapshot());
    expect(coin(await other.snapshot(), 'BTC').quote.USD.price).not.toBe(coin(await market.snapshot(), 'BTC').quote.USD.price);
  });

  it('starts from the real figures each Monday', async () => {
    const snapshot = await at(MONDAY);
    for (const real of readBundledMarket().coins) {
      const moved = coin(snapshot, real.symbol);
      expectNear(moved.quote.USD.price, real.price);
      expectNear(moved.quote.USD.volume_24h, real.volume24h);
      for (const period of PERIODS) expect(moved.quote.USD[`percent_change_${period}`]).toBeCloseTo(real.change[period], 5);
    }
    expect(weekStart(MONDAY)).toBe(MONDAY);
    expect(weekStart(MONDAY - 1)).toBe(MONDAY - 7 * DAY);
  });

  it('keeps caps, diluted values and BTC quotes consistent with the price', async () => {
    const snapshot = await market.snapshot();
    const bitcoin = coin(snapshot, 'BTC').quote.USD;
    expect(coin(snapshot, 'BTC').quote.BTC).toMatchObject({ price: 1, percent_change_24h: 0, percent_change_90d: 0 });
    for (const { quote, circulatingSupply, maxSupply, totalSupply } of snapshot.coins) {
      const price = value(quote.USD.price);
      expectNear(quote.USD.market_cap, price * value(circulatingSupply));
      expectNear(quote.USD.fully_diluted_market_cap, price * value(maxSupply ?? totalSupply));
      expectNear(quote.BTC.price, price / value(bitcoin.price));
      expectNear(quote.BTC.volume_24h, value(quote.USD.volume_24h) / value(bitcoin.price));
      for (const period of PERIODS) {
        const field = `percent_change_${period}` as const;
        expectNear(1 + value(quote.BTC[field]) / 100, (1 + value(quote.USD[field]) / 100) / (1 + value(bitcoin[field]) / 100));
      }
    }
  });

  it('reports changes that match its own prices', async () => {
    const later = await at(MONDAY + 4 * DAY);
    for (const period of ['1h', '24h'] as const) {
      const earlier = await at(MONDAY + 4 * DAY - PERIOD_MS[period]);
      for (const { symbol, quote } of later.coins)
        expectNear(
          1 + value(quote.USD[`percent_change_${period}`]) / 100,
          value(quote.USD.price) / value(coin(earlier, symbol).quote.USD.price),
        );
    }
    const earlier = await at(MONDAY + 3 * DAY);
    for (const { symbol, quote } of later.coins)
      expectNear(
        1 + value(quote.USD.volume_change_24h) / 100,
        value(quote.USD.volume_24h) / value(coin(earlier, symbol).quote.USD.volume_24h),
      );
  });

  it('stays plausible for weeks, and stablecoins near 1', async () => {
    const real = new Map(readBundledMarket().coins.map((each) => [each.id, each]));
    for (let time = MONDAY; time < MONDAY + 21 * DAY; time += 5 * HOUR + 13 * MINUTE) {
      for (const { id, symbol, tags, quote } of (await at(time)).coins) {
        const ratio = value(quote.USD.price) / (real.get(id)?.price ?? Number.NaN);
        const label = `${symbol} at ${new Date(time).toISOString()}`;
        expect(ratio, label).toBeGreaterThan(0.75);
        expect(ratio, label).toBeLessThan(1.35);
        if (tags.some(({ slug }) => slug === 'stablecoin')) expect(Math.abs(value(quote.USD.price) - 1), label).toBeLessThan(0.005);
      }
    }
  });

  it('does not jump when a week ends', async () => {
    const before = await at(MONDAY + 7 * DAY - TICK);
    const after = await at(MONDAY + 7 * DAY);
    for (const { symbol, quote } of after.coins)
      expect(value(quote.USD.price) / value(coin(before, symbol).quote.USD.price)).toBeCloseTo(1, 2);
  });

  it('returns one coin with its links, and nothing for an unknown id', async () => {
    const bitcoin = await market.details(1);
    expect(bitcoin?.coin.tags).toContainEqual({ slug: 'pow', name: 'PoW' });
    expect(bitcoin?.links).toMatchObject({ website: 'https://bitcoin.org/', sourceCode: 'https://github.com/bitcoin/bitcoin' });
    expect((await market.details(35336))?.links).toEqual({
      website: null,
      technicalDoc: null,
      reddit: null,
      sourceCode: null,
      explorer: null,
    });
    expect(await market.details(999_999)).toBeUndefined();
  });

  it('has real BTC candles, oldest first', async () => {
    const series = await market.btcCandles();
    const candles = series?.candles ?? [];
    expect(candles).toHaveLength(18_000);
    expect(candles[0]).toEqual({
      time: Date.UTC(2023, 0, 1),
      open: 16541.77,
      high: 16545.7,
      low: 16508.39,
      close: 16529.67,
      volume: 4364.8357,
    });
    for (const [index, { time, high, low, open, close }] of candles.entries()) {
      if (time <= (candles[index - 1]?.time ?? 0) || high < Math.max(open, close) || low > Math.min(open, close))
        expect.fail(`candle ${index}`);
    }
  });
});
