import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { chartCandlesAnswer } from '#contract/market/chart-candles.ts';
import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import { coinDays } from '#server/db/schema/market.ts';
import { createCandles } from '#server/modules/market/candles.ts';
import type { KeptCandles, MarketHistory } from '#server/ports/market-data/coin-candles.ts';
import type { MarketData, MarketSnapshot } from '#server/ports/market-data/market-data.ts';
import { coinWith, stillMarket } from '#tests/support/market/market.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const MOON = 4242;
const MONDAY = Date.UTC(2026, 4, 11);
const NOW = MONDAY + 9 * HOUR + 30 * MINUTE;

const candle = (time: number, close: number) => ({ time, open: close, high: close, low: close, close, volume: 1 });
/** Candles that end with the one that opened at `last`. */
const kept = (length: number, last: number, rest: Partial<KeptCandles> = {}): KeptCandles => ({
  source: 'Moon exchange MOON/USD',
  candles: Array.from({ length: 400 }, (_, at) => candle(last - (399 - at) * length, 10)),
  asOf: NOW - MINUTE,
  stale: false,
  ...rest,
});
const snapshotAt = (time: number, price: number, stale?: boolean): MarketSnapshot => ({
  source: { name: 'Moon exchange', demo: false, asOf: new Date(time).toISOString(), ...(stale && { stale }) },
  coins: [coinWith({ id: MOON, usd: { price } })],
});

const prices = async () => new Map();
let current: { snapshot: () => Promise<MarketSnapshot>; history: MarketHistory };
const { drawn: _, ...rest } = stillMarket();
const market: MarketData = {
  ...rest,
  snapshot: () => current.snapshot(),
  get history() {
    return current.history;
  },
  known: () => [{ id: MOON, name: 'Moon', symbol: 'MOON', rank: 1 }],
};

let server: TestServer;
let ada: SignedUp;
beforeEach(async () => {
  const [snapshot, days, hours] = [snapshotAt(NOW, 12), kept(DAY, MONDAY), kept(HOUR, MONDAY + 9 * HOUR)];
  current = { snapshot: async () => snapshot, history: { days: async () => days, hours: async () => hours, prices } };
  server = await startServer({ market });
  ada = await server.signUp();
});
afterEach(() => server.close());

async function candles(period: string) {
  const response = await fetch(`${server.url}/api/coin-market/candles/${MOON}?period=${period}`, {
    headers: { authorization: ada.authorization },
  });
  return z.parse(chartCandlesAnswer, await response.json()).data;
}

describe('candles of exchanges', () => {
  test.each([
    ['1D', 25],
    ['7D', 169],
    ['1M', 31],
    ['1Y', 366],
  ])('of %s end at the price of the list, with its time', async (period, count) => {
    const answer = await candles(period);
    expect(answer).toMatchObject({ demo: false, asOf: new Date(NOW).toISOString() });
    expect(answer).not.toHaveProperty('stale');
    expect(answer.candles).toHaveLength(count);
    expect(answer.candles.at(-1)).toMatchObject({ open: 10, high: 12, low: 10, close: 12 });
  });

  test('are one object until the price or they change, so that they are compressed once', async () => {
    const { of } = createCandles({ db: server.db, clock: () => NOW, market });
    const first = await of(MOON, '1M');
    expect(await of(MOON, '1M')).toBe(first);
    const snapshot = snapshotAt(NOW, 13);
    current.snapshot = async () => snapshot;
    expect((await of(MOON, '1M'))?.candles.at(-1)?.close).toBe(13);
  });

  test('of a day in which the exchange has no trade yet end at the price too', async () => {
    const days = kept(DAY, MONDAY - DAY);
    current.history.days = async () => days;
    const answer = await candles('1M');
    expect(answer.candles.at(-1)).toEqual({ time: MONDAY, open: 10, high: 12, low: 10, close: 12, volume: null });
  });

  test('of an outage say so, and have the age of the figures', async () => {
    const snapshot = snapshotAt(NOW - HOUR, 12, true);
    current.snapshot = async () => snapshot;
    expect(await candles('1M')).toMatchObject({ stale: true, asOf: new Date(NOW - HOUR).toISOString() });
  });

  test('that could not be read again stay as they were, with their own age', async () => {
    const days = kept(DAY, MONDAY - DAY, { stale: true, asOf: NOW - DAY });
    current.history.days = async () => days;
    const answer = await candles('1M');
    expect(answer).toMatchObject({ stale: true, asOf: new Date(NOW - DAY).toISOString() });
    expect(answer.candles.at(-1)).toMatchObject({ time: MONDAY - DAY, close: 10 });
  });
});

describe('recorded days', () => {
  const day = (time: number) => ({ coinId: MOON, day: new Date(time).toISOString().slice(0, 10), open: 5, high: 5, low: 5, close: 5 });
  beforeEach(async () => {
    current.history = { days: async () => undefined, hours: async () => undefined, prices };
    // The server may have recorded today.
    const days = Array.from({ length: 60 }, (_, at) => day(MONDAY - at * DAY));
    await server.db.insert(coinDays).values(days).onConflictDoNothing();
  });
  const asked = () => createCandles({ db: server.db, clock: () => NOW, market, patience: 20 });

  test('show while the exchanges neither give figures nor candles, cut to the period, and say so', async () => {
    current.snapshot = () => Promise.reject(new Error('away'));
    const answer = await asked().of(MOON, '1M');
    expect(answer).toMatchObject({ source: 'the market, recorded day by day', stale: true, asOf: new Date(MONDAY).toISOString() });
    expect(answer?.candles).toHaveLength(31);
  });

  test('show while the exchanges never answer', async () => {
    const never = () => new Promise<never>(() => undefined);
    current = { snapshot: never, history: { days: never, hours: never, prices } };
    expect((await asked().of(MOON, '1M'))?.candles).toHaveLength(31);
    expect((await asked().of(MOON, '1D'))?.candles).toEqual([]);
  });
});
