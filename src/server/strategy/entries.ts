import type { Candle } from '../../domain/candles';
import type { Parameters } from './parameters';
import type { Entry, Level, Signal } from './signal';

/** What is known when a candle has closed. */
export interface View extends Omit<Signal, 'entry'> {
  previous: Candle;
}

/**
 * A way in along the trend: price came to a level, and closed on its right side again. Highs and lows change places for the
 * short side, which is the long one upside down.
 */
export function findEntry({ candle, previous, atr, levels, trend }: View, parameters: Parameters): Entry | null {
  if (trend === 'flat' || atr === 0) return null;
  const sign = trend === 'up' ? 1 : -1;
  const extreme = sign === 1 ? candle.low : candle.high;
  const turned = sign * (candle.close - candle.open) > 0;
  if (!turned) return null;
  const level = levels.find(
    ({ price, strength }) =>
      strength >= parameters.strength &&
      sign * (extreme - price) <= parameters.zone * atr &&
      sign * (candle.close - price) > 0 &&
      sign * (previous.close - price) > 0,
  );
  if (!level) return null;
  const beyond = sign * Math.min(sign * level.price, sign * extreme);
  const stop = beyond - sign * parameters.stopGap * atr;
  const risk = sign * (candle.close - stop);
  const target = nextLevel(levels, candle.close, sign, parameters.leastReward * risk) ?? candle.close + sign * parameters.openReward * risk;
  return {
    side: sign === 1 ? 'long' : 'short',
    // A high below the price, or a low above it, was broken since.
    setup: (level.turned === 'high') === (sign === 1) ? 'retest' : 'bounce',
    level,
    stop,
    target,
  };
}

/** The nearest level ahead that is worth the way. */
function nextLevel(levels: readonly Level[], price: number, sign: 1 | -1, least: number): number | undefined {
  const ahead = levels.filter((level) => sign * (level.price - price) >= least);
  return (sign === 1 ? ahead[0] : ahead.at(-1))?.price;
}
