import { expect, it } from 'vitest';
import type { Period } from '#contract/market/market.ts';
import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import { readBundledMarket } from '#server/ports/market-data/bundled.ts';
import { createDemoMarket } from '#server/ports/market-data/demo-market.ts';
import { PERIOD_MS } from '#server/ports/market-data/demo-walk.ts';
import { CANDLE_MS, type CandleInterval, type CoinSeries, type MarketData } from '#server/ports/market-data/market-data.ts';

const NOW = Date.UTC(2026, 4, 14, 7, 23);
const marketAt = (now: number, seed = 1): MarketData => createDemoMarket({ clock: () => now, seed, tickMs: 5000 });

async function seriesOf(market: MarketData, id: number, interval: CandleInterval): Promise<CoinSeries> {
  const series = await market.drawn?.candles(id, interval);
  if (!series) throw new Error(`no history of ${id}`);
  return series;
}

it('every coin has a year of days and two weeks of hours, without a gap, that end at the price on the screen', async () => {
  const market = marketAt(NOW);
  const { coins } = await market.snapshot();
  for (const interval of ['1h', '1d'] as const) {
    const length = CANDLE_MS[interval];
    for (const { id, symbol, quote } of coins) {
      const { candles, demo, asOf } = await seriesOf(market, id, interval);
      expect([demo, asOf], symbol).toEqual([true, new Date(NOW).toISOString()]);
      expect(candles.at(-1)?.close, symbol).toBe(quote.USD.price);
      expect(candles.at(-1)?.time, symbol).toBe(Math.floor(NOW / length) * length);
      for (const [at, { time, open, high, low, close, volume }] of candles.entries()) {
        const before = candles[at - 1];
        if (before && (time - before.time !== length || open !== before.close)) expect.fail(`${symbol}: gap at ${at}`);
        if (high < Math.max(open, close) || low > Math.min(open, close) || low <= 0 || !(volume && volume > 0))
          expect.fail(`${symbol}: ${at}`);
      }
    }
  }
  expect((await seriesOf(market, 1027, '1d')).candles).toHaveLength(365);
  expect((await seriesOf(market, 1027, '1h')).candles).toHaveLength(336);
});

it('changes of the list compare the price with a candle of that time', async () => {
  const market = marketAt(NOW);
  const { coins } = await market.snapshot();
  const checks: [Period, CandleInterval][] = [
    ['24h', '1h'],
    ['7d', '1h'],
    ['30d', '1d'],
    ['90d', '1d'],
  ];
  for (const { id, symbol, quote } of coins) {
    for (const [period, interval] of checks) {
      const before = (quote.USD.price ?? 0) / (1 + (quote.USD[`percent_change_${period}`] ?? 0) / 100);
      const age = NOW - PERIOD_MS[period];
      const candle = (await seriesOf(market, id, interval)).candles.find(({ time }) => age >= time && age < time + CANDLE_MS[interval]);
      // A coin that is younger than the period has no candle of that time.
      if (!candle) continue;
      expect(before / candle.low, `${symbol} ${period}`).toBeGreaterThan(0.98);
      expect(before / candle.high, `${symbol} ${period}`).toBeLessThan(1.02);
    }
  }
});

it('every process with the seed draws the same, and another seed something else', async () => {
  const series = await seriesOf(marketAt(NOW), 1027, '1d');
  expect(await seriesOf(marketAt(NOW), 1027, '1d')).toEqual(series);
  expect((await seriesOf(marketAt(NOW, 2), 1027, '1d')).candles).not.toEqual(series.candles);
  // Readers of a tick share one object.
  const market = marketAt(NOW);
  expect(await seriesOf(market, 1027, '1d')).toBe(await seriesOf(market, 1027, '1d'));
});

it('closed candles stay while the week goes on', async () => {
  const [now, later] = [await seriesOf(marketAt(NOW), 1027, '1d'), await seriesOf(marketAt(NOW + DAY), 1027, '1d')];
  expect(later.candles.slice(0, -2)).toEqual(now.candles.slice(1, -1));
});

it('a coin has no candle before it was listed', async () => {
  const { coins, takenAt } = readBundledMarket();
  const youngest = coins.toSorted((a, b) => Date.parse(b.dateAdded) - Date.parse(a.dateAdded))[0];
  const days = (Date.parse(takenAt) - Date.parse(youngest?.dateAdded ?? '')) / DAY;
  const { candles } = await seriesOf(marketAt(NOW), youngest?.id ?? 0, '1d');
  expect(days).toBeLessThan(60);
  // The walk's week began up to seven days ago.
  expect(candles.length).toBeGreaterThan(days - 2);
  expect(candles.length).toBeLessThan(days + 8);
  expect(await marketAt(NOW).drawn?.candles(987_654, '1d')).toBeUndefined();
});

it("Bitcoin's history comes from a replay that is ahead of the clock, dated to end at the screen's price", async () => {
  const clock = { now: NOW };
  const feedNow = () => NOW + 3 * DAY + (clock.now - NOW) * 60;
  /** A price that names its time. */
  const priceAt = (time: number) => 50_000 + (time - NOW) / MINUTE;
  const feed = {
    source: 'A replay',
    speed: 60,
    now: feedNow,
    priceAt,
    candles: async (length: number, count: number) => {
      const open = Math.floor(feedNow() / length) * length;
      return Array.from({ length: count }, (_, at) => {
        const time = open - (count - 1 - at) * length;
        return { time, open: priceAt(time), high: priceAt(time + length), low: priceAt(time), close: priceAt(time + length), volume: 1 };
      });
    },
  };
  const market = createDemoMarket({ clock: () => clock.now, seed: 1, tickMs: 5000, btc: feed });
  clock.now += 35_000;
  const price = (await market.snapshot()).coins.find(({ id }) => id === 1)?.quote.USD.price ?? 0;
  const hours = await seriesOf(market, 1, '1h');
  expect(hours).toMatchObject({ source: 'A replay, dated to today', demo: true });
  expect(hours.candles.at(-1)).toMatchObject({ time: Math.floor(clock.now / HOUR) * HOUR, close: price });
  expect(hours.candles).toHaveLength(336);
  const dayAgo = hours.candles.find(({ time }) => clock.now - DAY >= time && clock.now - DAY < time + HOUR);
  expect(dayAgo?.low).toBeLessThanOrEqual(price - 1440);
  expect(dayAgo?.high).toBeGreaterThanOrEqual(price - 1440);
  const days = (await seriesOf(market, 1, '1d')).candles;
  expect(days.length).toBeGreaterThan(800);
  expect(days.every(({ time }, at) => at === 0 || time - (days[at - 1]?.time ?? 0) === DAY)).toBe(true);
  // The bundled days join the replay without a jump.
  const joint = days.length - 90;
  expect((days[joint]?.open ?? 0) / (days[joint - 1]?.close ?? 1)).toBeCloseTo(1, 4);
});

it('a feed that fails or never answers leaves the last history, or none', async () => {
  let isBroken = false;
  const feed = {
    source: 'Live',
    speed: null,
    now: () => NOW,
    priceAt: () => 60_000,
    candles: async (length: number, count: number) => {
      if (isBroken) throw new Error('the exchange is down');
      const open = Math.floor(NOW / length) * length;
      return Array.from({ length: Math.min(count, 3) }, (_, at) => ({
        time: open - (2 - at) * length,
        open: 1,
        high: 2,
        low: 1,
        close: 2,
        volume: 1,
      }));
    },
  };
  let now = NOW;
  const market = createDemoMarket({ clock: () => now, seed: 1, tickMs: 5000, btc: feed });
  const { candles, demo } = await seriesOf(market, 1, '1d');
  expect(demo).toBe(false);
  expect(candles.map(({ close }) => close)).toEqual([2, 2, 60_000]);
  isBroken = true;
  now += 10 * MINUTE;
  expect((await seriesOf(market, 1, '1d')).candles).toHaveLength(3);
  const cold = createDemoMarket({ clock: () => now, seed: 1, tickMs: 5000, btc: feed });
  expect((await seriesOf(cold, 1, '1d')).candles).toEqual([]);
});
