import type { Candle } from './candles.ts';

/** A candle whose high (or low) is the extreme among `reach` candles on each side. */
export interface Swing {
  kind: 'high' | 'low';
  price: number;
  /** When the candle opened, ms UTC. */
  time: number;
}

export interface Level {
  /** Below the price it supports, at or above it resists, whichever swings made it. */
  kind: 'support' | 'resistance';
  price: number;
  /** How many swings turned here. */
  touches: number;
  /** Opening time of the candle that turned here last, ms UTC. */
  lastTouch: number;
}

export interface LevelOptions {
  /** Candles on each side that a swing must stand out from; at least 1. */
  reach: number;
  /** How far apart two swings may be and still be one level, as a fraction of the price. */
  tolerance: number;
  /** The price that tells support from resistance. */
  price: number;
}

/**
 * Swing highs and lows in order of time. Of equal extremes within reach, the earliest counts. The last
 * `reach` candles are never swings: what follows them is not known yet, so nothing here looks ahead.
 */
export function findSwings(candles: readonly Candle[], reach: number): Swing[] {
  const swings: Swing[] = [];
  for (let index = reach; index < candles.length - reach; index++) {
    const candle = candles[index] as Candle;
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
 * Prices where the market turned, lowest first: swings that lie within `tolerance` of their neighbours'
 * mean form one level at that mean. A former ceiling below the price counts as support, and the other
 * way round, because broken levels are watched from their other side.
 */
export function findLevels(candles: readonly Candle[], { reach, tolerance, price }: LevelOptions): Level[] {
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
