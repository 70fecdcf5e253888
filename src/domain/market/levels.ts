import type { Bar } from './candles.ts';

/** A candle whose high (or low) is the extreme among `reach` candles on each side. */
export interface Swing {
  kind: 'high' | 'low';
  price: number;
  /** Opening time of the candle, ms UTC. */
  time: number;
}

export interface Level {
  /** Support below the price, resistance at or above it, whichever swings formed it. */
  kind: 'support' | 'resistance';
  price: number;
  /** Number of swings at this level. */
  touches: number;
  /** Opening time of the last swing's candle, ms UTC. */
  lastTouch: number;
}

export interface LevelOptions {
  /** Candles on each side that a swing must exceed, at least 1. */
  reach: number;
  /** Maximum distance of swings in one level, as a fraction of the price. */
  tolerance: number;
  /** Separates support from resistance. */
  price: number;
}

/**
 * Returns swing highs and lows in order of time. The earliest of equal extremes within reach counts. The last `reach` candles are
 * never swings, so nothing here looks ahead.
 */
export function findSwings(candles: readonly Bar[], reach: number): Swing[] {
  const swings: Swing[] = [];
  for (let index = reach; index < candles.length - reach; index++) {
    const candle = candles[index] as Bar;
    const before = candles.slice(index - reach, index);
    const after = candles.slice(index + 1, index + 1 + reach);
    if (before.every(({ high }) => high < candle.high) && after.every(({ high }) => high <= candle.high))
      swings.push({ kind: 'high', price: candle.high, time: candle.time });
    if (before.every(({ low }) => low > candle.low) && after.every(({ low }) => low >= candle.low))
      swings.push({ kind: 'low', price: candle.low, time: candle.time });
  }
  return swings;
}

/**
 * Returns the prices where the market turned, lowest first. Swings within `tolerance` of their neighbors' mean form one level.
 * Resistance that broke becomes support, and the reverse.
 */
export function findLevels(candles: readonly Bar[], { reach, tolerance, price }: LevelOptions): Level[] {
  const swings = findSwings(candles, reach).sort((a, b) => a.price - b.price);
  const groups: Swing[][] = [];
  for (const swing of swings) {
    const group = groups.at(-1);
    if (group && swing.price <= meanPrice(group) * (1 + tolerance)) group.push(swing);
    else groups.push([swing]);
  }
  return groups.map((group) => {
    const mean = meanPrice(group);
    return {
      kind: mean < price ? 'support' : 'resistance',
      price: mean,
      touches: group.length,
      lastTouch: Math.max(...group.map(({ time }) => time)),
    };
  });
}

const meanPrice = (swings: readonly Swing[]): number => swings.reduce((sum, { price }) => sum + price, 0) / swings.length;
