import { type Candle, foldCandles } from '#domain/market/candles.ts';
import type { SimulatedFeed } from '../simulated-feed.ts';

export interface SteppedFeed extends SimulatedFeed {
  /** Closes the next candle, and waits for all listeners. Throws after the last one. */
  step(): Promise<Candle>;
}

interface Options {
  /** Length of the candles, ms. */
  interval: number;
  /** Number of candles that are closed at the start. */
  start: number;
}

/** Creates a feed for tests and benchmarks that moves one candle per `step`. Between steps it stays at the next open. */
export function createSteppedFeed(candles: readonly Candle[], { interval, start }: Options): SteppedFeed {
  const last = candles.at(-1);
  if (!last) throw new Error('A feed needs candles.');
  const end = last.time + interval;
  const listeners = new Set<(candle: Candle) => void | Promise<void>>();
  let closed = start;

  const now = (): number => candles[closed]?.time ?? end;

  /** Returns the index of the first candle that opens at or after a time. */
  function firstFrom(time: number): number {
    let low = 0;
    let high = candles.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((candles[middle]?.time ?? end) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  const priceAt = (time: number): number => candles[firstFrom(time)]?.open ?? last.close;

  function forming(): Candle {
    const price = priceAt(now());
    return { time: now(), open: price, high: price, low: price, close: price, volume: 0 };
  }

  return {
    source: 'Stepped candles',
    interval,
    speed: 1,
    now,
    priceAt,
    way: (from, to) => candles.slice(firstFrom(from), firstFrom(to)),
    closed: async (count) => candles.slice(Math.max(0, closed - count), closed),
    candles: async (length, count) => foldCandles([...candles.slice(0, closed), forming()], length).slice(-count),
    forming: async () => forming(),
    onClose(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async step() {
      const candle = candles[closed];
      if (!candle) throw new Error('There are no more candles.');
      closed++;
      for (const listener of listeners) await listener(candle);
      return candle;
    },
  };
}
