import type { FakeExchange, FakeMarket } from './fake-exchange.ts';

/** What a dialect returns for an address that the exchange does not have. */
export const NOT_FOUND = { message: 'NotFound' };

export type Dialect = (url: URL, exchange: FakeExchange) => unknown;

/** Close of a candle: the market's price, 0.1 % lower for each step into the past. */
export const closeAt = (price: number, age: number): number => price * 0.999 ** age;

interface FakeCandle {
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
}

/** Returns the candles of [from, to], oldest first. */
export function candlesOf(
  { price, since = 0 }: FakeMarket,
  { factor, now }: FakeExchange,
  length: number,
  from: number,
  to: number,
): FakeCandle[] {
  const end = Math.min(to, now());
  const first = Math.ceil(Math.max(from, since) / length) * length;
  const newest = Math.floor(now() / length);
  const count = Math.max(0, Math.floor((end - first) / length) + 1);
  return Array.from({ length: count }, (_, at) => {
    const time = first + at * length;
    const close = closeAt((price ?? 0) * factor, newest - time / length);
    const open = closeAt((price ?? 0) * factor, newest - time / length + 1);
    return { time, open, high: Math.max(open, close) * 1.01, low: Math.min(open, close) * 0.99, close };
  });
}

export const text = (value: number | null): string | null => (value === null ? null : String(value));
export const at = ({ at: traded }: FakeMarket, { now }: FakeExchange): number => traded ?? now();
export const priced = ({ price, open }: FakeMarket, { factor }: FakeExchange) => ({
  last: price === null ? null : price * factor,
  open: open === null ? null : open * factor,
});
