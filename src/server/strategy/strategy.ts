import { ATR, SMA } from 'trading-signals';
import type { Candle } from '../../domain/candles';
import { findEntry } from './entries';
import { clusterLevels, insertPivot } from './levels';
import type { Parameters } from './parameters';
import { confirmedPivots, type Pivot } from './pivots';
import type { Signal } from './signal';

export interface Strategy {
  /** Takes the candle that has just closed; they come in order, each once. Until it has had `window` of them it enters nothing. */
  next(candle: Candle): Signal;
}

/**
 * Supports and resistances of the candles so far, and whether there is a way in. Its memory ends exactly: a new one that is
 * given the last `parameters.window` candles says to the last bit what an older one says.
 */
export function createStrategy(parameters: Parameters): Strategy {
  const { window, reach, memory, halfLife, atrPeriod, atrScale, trend: trendLength, tolerance } = parameters;
  // A simple average, because the usual smoothing never forgets.
  const range = new ATR(atrPeriod, SMA);
  const pivots: Pivot[] = [];
  let candles: Candle[] = [];
  let seen = 0;

  const remember = (candle: Candle) => {
    candles.push(candle);
    if (candles.length >= 2 * window) candles = candles.slice(-window);
    seen++;
  };

  const trendOf = ({ close }: Candle): Signal['trend'] => {
    const then = candles.at(-1 - trendLength);
    if (!then || then.close === close) return 'flat';
    return close > then.close ? 'up' : 'down';
  };

  return {
    next(candle) {
      const previous = candles.at(-1) ?? candle;
      remember(candle);
      const atr = (range.update(candle, false) ?? 0) * atrScale;
      for (let index = pivots.length - 1; index >= 0; index--) {
        if ((pivots[index] as Pivot).time < candle.time - memory) pivots.splice(index, 1);
      }
      for (const pivot of confirmedPivots(candles, reach)) insertPivot(pivots, pivot);
      const levels = clusterLevels(pivots, { tolerance: tolerance * atr, halfLife, at: candle.time });
      const trend = trendOf(candle);
      const entry = seen < window ? null : findEntry({ candle, previous, atr, levels, trend }, parameters);
      return { candle, atr, levels, trend, entry };
    },
  };
}
