import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HOUR, SECOND } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import type { CandleFeed } from '#server/ports/exchange/exchange.ts';
import { followPrice } from '#server/ports/exchange/live/follow-price.ts';

const START = Date.UTC(2026, 0, 5, 10);

beforeEach(() => void vi.useFakeTimers({ now: START }));
afterEach(() => void vi.useRealTimers());

/** An exchange with a price that a test changes. */
function createFeed() {
  const state: { price: number; fault: 'away' | 'silent' | null; asked: number } = { price: 100, fault: null, asked: 0 };
  const candle = (time: number): Candle => ({
    time,
    open: state.price,
    high: state.price,
    low: state.price,
    close: state.price,
    volume: 1,
  });
  const openHour = () => Math.floor(Date.now() / HOUR) * HOUR;
  async function forming(): Promise<Candle> {
    state.asked++;
    if (state.fault === 'away') throw new Error('away');
    if (state.fault === 'silent') await new Promise(() => undefined);
    return candle(openHour());
  }
  const candles = async (_: number, count: number) =>
    Array.from({ length: count }, (_each, back) => candle(openHour() - back * HOUR)).reverse();
  const feed: CandleFeed = {
    source: 'Test',
    interval: HOUR,
    speed: null,
    now: Date.now,
    closed: async () => [],
    onClose: () => () => undefined,
    forming,
    candles,
  };
  return { feed, state };
}

test('follows the price of an exchange until it is closed', async () => {
  const { feed, state } = createFeed();
  const price = await followPrice(feed, vi.fn());
  expect(price.priceAt(Date.now())).toBe(100);
  expect(price.live?.()).toEqual({ staleSince: null });
  state.price = 200;
  await vi.advanceTimersByTimeAsync(10 * SECOND);
  expect(price.priceAt(Date.now())).toBe(200);
  expect(price.priceAt(Date.now() - 5 * HOUR)).toBe(100);
  price.close();
  const { asked } = state;
  await vi.advanceTimersByTimeAsync(60 * SECOND);
  expect(state.asked).toBe(asked);
});

test('keeps the last price in an outage, says since when it is old, and reports the outage once', async () => {
  const { feed, state } = createFeed();
  const report = vi.fn();
  const price = await followPrice(feed, report);
  state.fault = 'away';
  await vi.advanceTimersByTimeAsync(60 * SECOND);
  expect(price.priceAt(Date.now())).toBe(100);
  expect(price.live?.()).toEqual({ staleSince: START });
  expect(report).toHaveBeenCalledTimes(1);
  state.fault = null;
  await vi.advanceTimersByTimeAsync(10 * SECOND);
  expect(price.live?.()).toEqual({ staleSince: null });
  price.close();
});

test('does not hold up a start while the exchange is silent', async () => {
  const { feed, state } = createFeed();
  state.fault = 'silent';
  const opening = followPrice(feed, vi.fn());
  await vi.advanceTimersByTimeAsync(3 * SECOND);
  const price = await opening;
  expect(() => price.priceAt(Date.now())).toThrow('no price yet');
  price.close();
});
