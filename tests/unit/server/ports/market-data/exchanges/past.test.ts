import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '#domain/clock.ts';
import { createExchangesMarket } from '#server/ports/market-data/exchanges/exchanges-market.ts';
import { priceAt } from '#server/ports/market-data/exchanges/past/past-prices.ts';
import { VENUE_IDS } from '#server/ports/market-data/exchanges/venue.ts';
import type { MarketData } from '#server/ports/market-data/market-data.ts';
import { countingBudgets } from '#tests/support/market/exchanges/counting-budgets.ts';
import { closeAt } from '#tests/support/market/exchanges/dialect.ts';
import { type ExchangeWorld, startExchangeWorld } from '#tests/support/market/exchanges/exchange-world.ts';

const COINS = 12;
/** A busy machine asks its four exchanges for all series in twenty seconds. */
const LONG = { timeout: 60_000 };
/** Of a test that collects twice. */
const LONGEST = { timeout: 150_000 };
const AGES = [7 * DAY, 3 * DAY, DAY, HOUR];

let now: number;
let world: ExchangeWorld;
let market: MarketData;

beforeEach(async () => {
  now = Date.UTC(2026, 10, 25, 4, 30);
  world = await startExchangeWorld(COINS, () => now);
  market = open();
});
afterEach(() => world.close());

const open = (pace = 0) =>
  createExchangesMarket({
    ...{ clock: () => now, budgets: countingBudgets(), tickMs: 10_000, urls: world.urls, pace },
    ...{ patience: 60_000, wait: 20_000 },
  });
const ids = () => world.coins.map(({ id }) => id);
const prices = async () => (await market.history?.prices(ids(), AGES)) ?? new Map<number, readonly number[]>();
const candleCalls = () => VENUE_IDS.flatMap((id) => world[id].calls).filter(({ pathname }) => /klines|candles|OHLC/.test(pathname)).length;

/** A while later, within the hour: each hour has other candles. */
function later(): void {
  now = Math.min(now + 15 * SECOND, Math.ceil((now + 1) / HOUR) * HOUR - MINUTE);
}

/** Looks at the lines until those of all coins are collected. */
async function collected(): Promise<ReadonlyMap<number, readonly number[]>> {
  await market.snapshot();
  await expect
    .poll(async () => {
      later();
      const { coins } = await market.snapshot();
      const lines = await prices();
      // Of the candles of days and of hours.
      return coins.filter(({ id, quote: { USD } }) => lines.has(id) && USD.percent_change_1h !== null && USD.percent_change_30d !== null)
        .length;
    }, LONG)
    .toBeGreaterThanOrEqual(COINS);
  return prices();
}

test('every coin gets a line and the changes of each period from the candles of the exchanges', LONGEST, async () => {
  expect((await market.snapshot()).coins[0]?.quote.USD.percent_change_7d).toBeNull();
  const lines = await collected();
  const { coins } = await market.snapshot();
  for (const { id, price } of world.coins) {
    const age = (now % HOUR) / HOUR;
    // An hour of the fake exchanges is 0.1 % below the next one. The hour that has not ended is not part of it.
    const hourAgo = closeAt(price, 1) * age + closeAt(price, 2) * (1 - age);
    expect((lines.get(id)?.at(-1) ?? 0) / hourAgo).toBeCloseTo(1, 2);
    expect((lines.get(id)?.[0] ?? 0) / closeAt(price, 168.5)).toBeCloseTo(1, 2);
    const usd = coins.find((coin) => coin.id === id)?.quote.USD;
    expect(usd?.percent_change_1h).toBeCloseTo((price / hourAgo - 1) * 100, 1);
    expect(usd?.percent_change_7d).toBeCloseTo((1 / 0.999 ** 168.5 - 1) * 100, 0);
    expect(usd?.percent_change_30d).toBeCloseTo((1 / 0.999 ** 31 - 1) * 100, 0);
    expect(usd?.percent_change_90d).not.toBeNull();
  }
});

test('1,000 users cost the exchanges no more series than one, and the next hour one series per coin', LONGEST, async () => {
  await collected();
  const asked = candleCalls();
  await Promise.all(Array.from({ length: 1000 }, prices));
  expect(candleCalls()).toBe(asked);
  now = Math.ceil(now / HOUR) * HOUR + MINUTE;
  await market.snapshot();
  await expect
    .poll(async () => {
      later();
      await prices();
      return candleCalls();
    }, LONG)
    .toBeGreaterThanOrEqual(asked + COINS);
  // Two stablecoins and their rates may be among them.
  expect(candleCalls() - asked).toBeLessThanOrEqual(COINS + 6);
});

test.each(VENUE_IDS)('%s is off by 50 %%: no line and no change is off by more than 0.1 %', LONGEST, async (id) => {
  const honest = await collected();
  const before = (await market.snapshot()).coins;
  now = Date.UTC(2026, 10, 25, 4, 30);
  market = open();
  world[id].factor = 1.5;
  const lied = await collected();
  for (const [coin, line] of honest)
    for (const [at, price] of line.entries()) expect(Math.abs((lied.get(coin)?.[at] ?? 0) / price - 1)).toBeLessThan(0.001);
  const after = (await market.snapshot()).coins;
  for (const { id: coin, quote } of before) {
    const usd = after.find((one) => one.id === coin)?.quote.USD;
    expect(Math.abs((usd?.percent_change_7d ?? 0) - (quote.USD.percent_change_7d ?? 0))).toBeLessThan(0.1);
  }
});

test('lines wait for no exchange, and stay while all are away', LONGEST, async () => {
  await market.snapshot();
  for (const id of VENUE_IDS) world[id].fault = { kind: 'silence' };
  expect(await prices()).toEqual(new Map());
  for (const id of VENUE_IDS) world[id].fault = undefined;
  market = open();
  const lines = await collected();
  for (const id of VENUE_IDS) world[id].fault = { kind: 'reset' };
  now += HOUR;
  await market.snapshot();
  expect((await prices()).size).toBe(lines.size);
});

test('a price between two closes is between them; an hour after the last there is none', () => {
  const past = { hours: { time: 2 * DAY, prices: [10, 20] }, days: { time: 0, prices: [4, 8] } };
  const hours = (count: number) => priceAt(past, 2 * DAY + count * HOUR);
  expect([1.5, 2.9, 3, 12].map(hours)).toEqual([15, 20, undefined, undefined]);
  // Days are for what is older than the hours.
  expect([1.5, 2].map((day) => priceAt(past, day * DAY))).toEqual([6, 8]);
  expect(priceAt(past, DAY - 1)).toBeUndefined();
});
