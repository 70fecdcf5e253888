import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { candlesResource, MAX_CHARTS } from '#client/features/market/chart/candles-resource.ts';
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

it('stores a year and a week of candles of the first 20 coins of the watchlist, once a day', async () => {
  await watch(25);
  await warmCandles(db, () => NOW);
  const asked = (period: string) => Array.from({ length: 20 }, (_, at) => `/coin-market/candles/${25 - at}?period=${period}`);
  expect(market.asked).toEqual([...asked('1Y'), ...asked('7D')]);
  expect(await db.candles.count()).toBe(40);
  await warmCandles(db, () => NOW + DAY - 1);
  expect(market.asked).toHaveLength(40);
  await warmCandles(db, () => NOW + DAY);
  expect(market.asked).toHaveLength(80);
  for (const period of ['1D', '7D', '1M', '3M', '1Y'] as const)
    expect(await candlesResource.read(db, { id: 25, period }, true), period).toBeDefined();
});

it('asks again after the clock was set back', async () => {
  await watch(1);
  await warmCandles(db, () => NOW);
  await warmCandles(db, () => NOW - DAY);
  expect(market.asked).toHaveLength(4);
});

it('goes on after a coin that the market does not know', async () => {
  await watch(3);
  market.candles.delete(3);
  await warmCandles(db, () => NOW);
  expect(market.asked).toHaveLength(6);
  expect(await db.candles.count()).toBe(4);
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

it('drops the charts that were loaded the longest ago, above the limit', async () => {
  for (let id = 1; id <= MAX_CHARTS + 2; id += 1) {
    market.candles.set(id, dailyCandles(2));
    // The first is loaded again before the limit is reached.
    await load(db, candlesResource, { id, period: '1Y' }, () => NOW + id);
    if (id === 50) await load(db, candlesResource, { id: 1, period: '1Y' }, () => NOW + id);
  }
  expect(await db.candles.count()).toBe(MAX_CHARTS);
  const isKept = async (id: number) => (await db.candles.get(`candles/${id}/1Y`)) !== undefined;
  expect(await Promise.all([1, 2, 3, 4, MAX_CHARTS + 2].map(isKept))).toEqual([true, false, false, true, true]);
  expect(await db.stamps.get('candles/2/1Y')).toBeUndefined();
});
