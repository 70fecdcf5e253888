import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { candlesResource } from '#client/features/market/chart/candles-resource.ts';
import { warmCandles } from '#client/features/market/chart/warm-candles.ts';
import { load } from '#client/platform/cache/resource.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { reportReachable, reportUnreachable } from '#client/platform/live/reachability.ts';
import { DAY } from '#domain/clock.ts';
import { dailyCandles } from '#tests/support/market/daily-candles.ts';
import { closeMarket, type FakeMarket, openMarket } from '../fake-market.tsx';

const NOW = Date.UTC(2026, 0, 1);

let market: FakeMarket;
let db: UserDb;

beforeEach(async () => {
  ({ market, db } = await openMarket());
  vi.stubGlobal('requestIdleCallback', (run: () => void) => setTimeout(run));
});
afterEach(async () => {
  reportReachable();
  await closeMarket();
  vi.unstubAllGlobals();
});

async function watch(count: number) {
  // Places run against the ids.
  await db.watchlist.bulkPut(Array.from({ length: count }, (_, at) => ({ id: at + 1, place: count - 1 - at })));
  for (let id = 1; id <= count; id += 1) market.candles.set(id, dailyCandles(3));
}

it('stores a year of candles of the first 20 coins of the watchlist, once a day', async () => {
  await watch(25);
  await warmCandles(db, () => NOW);
  expect(market.asked).toEqual(Array.from({ length: 20 }, (_, at) => `/coin-market/candles/${25 - at}?period=1Y`));
  expect(await db.candles.count()).toBe(20);
  await warmCandles(db, () => NOW + DAY - 1);
  expect(market.asked).toHaveLength(20);
  await warmCandles(db, () => NOW + DAY);
  expect(market.asked).toHaveLength(40);
});

it('asks again after the clock was set back', async () => {
  await watch(1);
  await warmCandles(db, () => NOW);
  await warmCandles(db, () => NOW - DAY);
  expect(market.asked).toHaveLength(2);
});

it('goes on after a coin that the market does not know', async () => {
  await watch(3);
  market.candles.delete(3);
  await warmCandles(db, () => NOW);
  expect(market.asked).toHaveLength(3);
  expect(await db.candles.count()).toBe(2);
});

it('asks for nothing without a connection, and stops at the first failure', async () => {
  await watch(3);
  reportUnreachable();
  await warmCandles(db, () => NOW);
  expect(market.asked).toEqual([]);
  reportReachable();
  market.offline = true;
  await expect(warmCandles(db, () => NOW)).rejects.toThrow();
  expect(market.asked).toHaveLength(1);
});

it('asks for nothing while the user saves data', async () => {
  await watch(1);
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { connection: { saveData: true } }));
  await warmCandles(db, () => NOW);
  expect(market.asked).toEqual([]);
});

it('replaces older candles of shorter periods', async () => {
  await watch(1);
  market.candles.set(1, dailyCandles(300));
  await load(db, candlesResource, { id: 1, period: '3M' });
  market.candles.set(1, dailyCandles(400));
  await warmCandles(db, () => NOW);
  const shown = await candlesResource.read(db, { id: 1, period: '3M' }, true);
  expect(shown?.candles).toEqual(dailyCandles(400).candles.slice(-90));
});
