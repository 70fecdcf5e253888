import type { Candle } from '#domain/market/candles.ts';
import type { Parameters } from './parameters.ts';
import type { Entry, Level, Signal } from './signal.ts';

/** What the strategy knows when a candle has closed. */
export interface View extends Omit<Signal, 'entry'> {
  previous: Candle;
}

/** 1 for the long side; −1 mirrors prices, so that the same comparisons serve the short side. */
type Sign = 1 | -1;

/** Finds an entry with the trend: the price reached a level and turned away without closing beyond it. */
export function findEntry({ candle, previous, atr, levels, trend }: View, parameters: Parameters): Entry | null {
  if (trend === 'flat' || atr === 0) return null;
  const sign = trend === 'up' ? 1 : -1;
  if (sign * (candle.close - candle.open) <= 0) return null;
  const extreme = sign === 1 ? candle.low : candle.high;
  const held = levels.filter(
    ({ price, strength }) =>
      strength >= parameters.strength &&
      sign * (candle.close - price) > 0 &&
      sign * (previous.close - price) > 0 &&
      sign * (extreme - price) <= parameters.zone * atr,
  );
  const level = sign === 1 ? held.at(-1) : held[0];
  if (!level) return null;
  const stop = sign * Math.min(sign * level.price, sign * extreme) - sign * parameters.stopGap * atr;
  return {
    side: sign === 1 ? 'long' : 'short',
    // A high below the price, or a low above it, is a broken level.
    setup: (level.turned === 'high') === (sign === 1) ? 'retest' : 'bounce',
    level,
    stop,
    target: targetOf({ close: candle.close, stop, levels }, parameters),
  };
}

/** Returns the target of an entry at `close` with a stop: the first level that is far enough, or a multiple of the risk. */
export function targetOf(
  { close, stop, levels }: { close: number; stop: number; levels: readonly Level[] },
  { leastReward, openReward }: Pick<Parameters, 'leastReward' | 'openReward'>,
): number {
  const risk = close - stop;
  return nextLevel(levels, close + leastReward * risk, risk > 0 ? 1 : -1)?.price ?? close + openReward * risk;
}

/** Returns the first level at or beyond a price. */
const nextLevel = (levels: readonly Level[], price: number, sign: Sign): Level | undefined =>
  sign === 1 ? levels.find((level) => level.price >= price) : levels.findLast((level) => level.price <= price);
