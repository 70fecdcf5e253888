import { afterEach, expect, test } from 'vitest';
import { DAY, HOUR } from '#domain/clock.ts';
import { createCoinCandles } from '#server/ports/market-data/exchanges/candles.ts';
import { readCatalogue } from '#server/ports/market-data/exchanges/catalogue.ts';
import { createKnownMarkets } from '#server/ports/market-data/exchanges/known-markets.ts';
import type { VenueId } from '#server/ports/market-data/exchanges/venue.ts';
import { createVenueClient } from '#server/ports/market-data/exchanges/venue-client.ts';
import { VENUES } from '#server/ports/market-data/exchanges/venues/venues.ts';
import { countingBudgets } from '#tests/support/market/exchanges/counting-budgets.ts';
import { closeAt } from '#tests/support/market/exchanges/dialect.ts';
import { type FakeExchange, type FakeMarket, startFakeExchange } from '#tests/support/market/exchanges/fake-exchange.ts';

const NOW = Date.UTC(2026, 10, 25, 4, 30);
const BTC = 1;
const DOGE = 74;
const YEAR = 366 * DAY;

const running: FakeExchange[] = [];
afterEach(async () => void (await Promise.all(running.splice(0).map((fake) => fake.close()))));

const market = (base: string, quote: string, price: number, rest: Partial<FakeMarket> = {}): FakeMarket => ({
  ...{ base, quote, price, open: price, volume: 100 },
  ...rest,
});

/** Starts exchanges and opens the candles on them. Others cannot be reached. */
async function open(listed: Partial<Record<VenueId, FakeMarket[]>>) {
  const fakes = await Promise.all(
    Object.entries(listed).map(async ([id, markets]) => [id, await startFakeExchange(id as VenueId, markets, () => NOW)] as const),
  );
  running.push(...fakes.map(([, fake]) => fake));
  const catalogue = readCatalogue();
  const clock = () => NOW;
  const venues = VENUES.filter(({ id }) => listed[id]).map((venue) => {
    const client = createVenueClient({
      venue,
      clock,
      budgets: countingBudgets(),
      url: Object.fromEntries(fakes)[venue.id]?.url,
      patience: 60_000,
    });
    return { client, markets: createKnownMarkets(client, { catalogue, clock }) };
  });
  return { candles: createCoinCandles({ venues, clock }), fakes: Object.fromEntries(fakes) as Record<VenueId, FakeExchange> };
}

test.each([
  ['coinbase', 'USD', 'Coinbase BTC/USD'],
  ['kraken', 'USD', 'Kraken BTC/USD'],
] as const)('%s gives a year of days and two weeks of hours in dollars', async (id, quote, source) => {
  const { candles } = await open({ [id]: [market('BTC', quote, 60_000)] });
  const days = await candles.dailyCandles(BTC, NOW - YEAR);
  expect(days?.source).toBe(source);
  expect(days?.candles).toHaveLength(366);
  expect(days?.candles.at(-1)).toMatchObject({ time: Math.floor(NOW / DAY) * DAY, close: 60_000, volume: 12.5 });
  expect(days?.candles[0]?.close).toBeCloseTo(closeAt(60_000, 365), 6);
  const hours = await candles.hourlyCandles(BTC, NOW - 14 * DAY);
  expect(hours?.candles).toHaveLength(336);
  expect(hours?.candles.at(-1)?.time).toBe(Math.floor(NOW / HOUR) * HOUR);
});

test.each([
  ['binance', 'Binance BTC/USDT'],
  ['okx', 'OKX BTC/USDT'],
] as const)('%s quotes in Tether, which its own candles convert to dollars', async (id, source) => {
  const { candles } = await open({ [id]: [market('BTC', 'USDT', 60_000)], kraken: [market('USDT', 'USD', 0.98)] });
  const days = await candles.dailyCandles(BTC, NOW - YEAR);
  expect(days?.source).toBe(source);
  expect(days?.candles).toHaveLength(366);
  const newest = days?.candles.at(-1);
  expect(newest?.close).toBeCloseTo(60_000 * 0.98, 6);
  expect(days?.candles[0]?.close).toBeCloseTo(closeAt(60_000, 365) * closeAt(0.98, 365), 6);
});

test('without a dollar price of Tether, the source says that it counts at par', async () => {
  const { candles } = await open({ binance: [market('BTC', 'USDT', 60_000)] });
  expect(await candles.dailyCandles(BTC, NOW - 3 * DAY)).toMatchObject({ source: 'Binance BTC/USDT at par' });
});

test('a series that began lately gives way to a longer one', async () => {
  const { candles } = await open({
    coinbase: [market('DOGE', 'USD', 0.2, { since: NOW - 20 * DAY })],
    kraken: [market('DOGE', 'USD', 0.2)],
  });
  const days = await candles.dailyCandles(DOGE, NOW - YEAR);
  expect(days?.source).toBe('Kraken DOGE/USD');
  expect(days?.candles).toHaveLength(366);
});

test('an exchange that fails gives way to another one', async () => {
  const { candles, fakes } = await open({ coinbase: [market('BTC', 'USD', 60_000)], kraken: [market('BTC', 'USD', 60_000)] });
  await candles.dailyCandles(BTC, NOW - 3 * DAY);
  fakes.coinbase.fault = { kind: 'status', status: 429, retryAfter: 60 };
  const asked = fakes.coinbase.calls.length;
  expect((await candles.dailyCandles(BTC, NOW - 3 * DAY))?.source).toBe('Kraken BTC/USD');
  // It is left alone for the time that it asked for.
  expect((await candles.dailyCandles(BTC, NOW - 3 * DAY))?.source).toBe('Kraken BTC/USD');
  expect(fakes.coinbase.calls.length).toBe(asked + 1);
});

test('a coin without a market has no candles; without any answer they are unknown', async () => {
  const { candles } = await open({ kraken: [market('BTC', 'USD', 60_000)] });
  expect(await candles.dailyCandles(DOGE, NOW - 3 * DAY)).toBeUndefined();
  const { candles: away, fakes } = await open({ kraken: [market('BTC', 'USD', 60_000)] });
  fakes.kraken.fault = { kind: 'reset' };
  await expect(away.dailyCandles(BTC, NOW - 3 * DAY)).rejects.toMatchObject({ status: 503 });
});

test('a call for a long past asks for a limited number of pages', async () => {
  const { candles, fakes } = await open({ coinbase: [market('BTC', 'USD', 60_000)] });
  const days = await candles.dailyCandles(BTC, 0);
  expect(fakes.coinbase.count('/candles')).toBe(6);
  expect(days?.candles).toHaveLength(6 * 350);
});
