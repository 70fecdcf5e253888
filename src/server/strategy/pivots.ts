import type { Candle } from '#domain/market/candles.ts';

/** A candle whose high (or low) exceeds its neighbors on both sides. */
export interface Pivot {
  kind: 'high' | 'low';
  /** USD. */
  price: number;
  /** When the candle opened, ms. */
  time: number;
}

/**
 * Returns the pivots that the last candle confirms: those of the candle `reach` before it, because a pivot needs `reach` later
 * candles. Of equal extremes the earliest counts.
 */
export function confirmedPivots(candles: readonly Candle[], reach: number): Pivot[] {
  const middle = candles.length - 1 - reach;
  const candle = candles[middle];
  if (candle === undefined || middle < reach) return [];
  let isHigh = true;
  let isLow = true;
  for (let step = 1; step <= reach && (isHigh || isLow); step++) {
    const before = candles[middle - step] as Candle;
    const after = candles[middle + step] as Candle;
    isHigh &&= before.high < candle.high && after.high <= candle.high;
    isLow &&= before.low > candle.low && after.low >= candle.low;
  }
  const pivots: Pivot[] = [];
  if (isHigh) pivots.push({ kind: 'high', price: candle.high, time: candle.time });
  if (isLow) pivots.push({ kind: 'low', price: candle.low, time: candle.time });
  return pivots;
}
