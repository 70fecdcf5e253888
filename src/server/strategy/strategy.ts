import { ATR, SMA } from 'trading-signals';
import type { Candle } from '#domain/market/candles.ts';
import { judgeCandle, type View, WARMING_UP } from './entries.ts';
import { clusterLevels, insertPivot } from './levels.ts';
import { createMean } from './mean.ts';
import type { Parameters } from './parameters.ts';
import { confirmedPivots, type Pivot } from './pivots.ts';
import type { Signal } from './signal.ts';

export interface Strategy {
  /** Adds the next closed candle. Call it once per candle, in order. */
  next(candle: Candle): Signal;
}

/**
 * Creates the strategy, which finds support and resistance levels and entries. It remembers exactly `parameters.window` candles: a
 * new instance fed with those returns the same signals, to the last bit.
 */
export function createStrategy(parameters: Parameters): Strategy {
  const { reach, memory, halfLife, rangeScale, tolerance, warmUp } = parameters;
  // A simple average, because the usual smoothing never forgets old candles.
  const range = new ATR(parameters.rangeLength, SMA);
  const [short, long] = parameters.trendLengths.map(createMean) as [ReturnType<typeof createMean>, ReturnType<typeof createMean>];
  /** Sorted by price. */
  let pivots: Pivot[] = [];
  let candles: Candle[] = [];
  let seen = 0;

  function remember(candle: Candle): void {
    candles.push(candle);
    seen++;
    const enough = 2 * reach + 1;
    if (candles.length > 4 * enough) candles = candles.slice(-enough);
    const oldest = candle.time - memory;
    if (pivots.some(({ time }) => time < oldest)) pivots = pivots.filter(({ time }) => time >= oldest);
    for (const pivot of confirmedPivots(candles, reach)) insertPivot(pivots, pivot);
  }

  function trendAt(price: number): Pick<View, 'trend' | 'trendGap'> {
    const means = [short(price), long(price)];
    if (means.every((mean) => price > mean)) return { trend: 'up', trendGap: 0 };
    if (means.every((mean) => price < mean)) return { trend: 'down', trendGap: 0 };
    return { trend: 'flat', trendGap: Math.min(Math.max(...means) - price, price - Math.min(...means)) };
  }

  return {
    next(candle) {
      const previous = candles.at(-1) ?? candle;
      remember(candle);
      const atr = (range.update(candle, false) ?? 0) * rangeScale;
      const levels = clusterLevels(pivots, { tolerance: tolerance * atr, halfLife, at: candle.time });
      const { trend, trendGap } = trendAt(candle.close);
      const judged = seen < warmUp ? WARMING_UP : judgeCandle({ candle, previous, atr, levels, trend, trendGap }, parameters);
      return { candle, atr, levels, trend, ...judged };
    },
  };
}
