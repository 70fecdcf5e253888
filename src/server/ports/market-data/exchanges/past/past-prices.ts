import { DAY, HOUR } from '#domain/clock.ts';
import type { SourcedCandles } from '#server/ports/market-data/coin-candles.ts';

/** Closing prices of candles without a gap, oldest first. */
interface Closes {
  /** When the first candle opened, ms UTC. */
  time: number;
  prices: readonly number[];
}

/** A coin's past prices, USD, as JSON. */
export interface PastPrices {
  hours: Closes;
  days: Closes;
}

/** Kept closes of each length: a week of hours for the lines, 90 days for the changes, and a margin. */
const KEPT = { hours: { length: HOUR, count: 8 * 24 }, days: { length: DAY, count: 92 } };
export type PastKind = keyof typeof KEPT;

/** Returns the closes of the candles that have ended; times without a trade have the close before. */
export function closesOf({ candles }: SourcedCandles, kind: PastKind, now: number): Closes {
  const { length, count } = KEPT[kind];
  const closes = new Map(candles.map(({ time, close }) => [time, Number(close.toPrecision(6))]));
  const end = Math.floor(now / length) * length;
  const time = Math.max(candles[0]?.time ?? end, end - count * length);
  let last = candles.findLast((candle) => candle.time <= time)?.close ?? 0;
  const prices = Array.from({ length: Math.max(0, (end - time) / length) }, (_, at) => {
    last = closes.get(time + at * length) ?? last;
    return last;
  });
  return { time, prices };
}

/** Returns the price at a time, ms UTC, between the closes around it; undefined where none is known. */
export const priceAt = (past: PastPrices, time: number): number | undefined =>
  within(past, time < past.hours.time + HOUR ? 'days' : 'hours', time);

function within(past: PastPrices, kind: PastKind, time: number): number | undefined {
  const { length } = KEPT[kind];
  const { time: first, prices } = past[kind];
  const place = (time - first) / length - 1;
  const index = Math.floor(place);
  const before = prices[index];
  if (before === undefined) return undefined;
  // The latest candle to end may not have been read yet.
  const after = prices[index + 1] ?? before;
  return before + (after - before) * (place - index);
}
