import { DAY, HOUR } from '#domain/clock.ts';

/**
 * The strategy's parameters. They derive from hours, whatever the candles' length is, because neither the levels that traders watch
 * nor the costs of a trade depend on the chart's interval.
 */
export interface Parameters {
  /** Length of a candle, ms. */
  interval: number;
  /** Candles on each side that a pivot must exceed. */
  reach: number;
  /** Age at which a pivot expires, and at which a touch has half its strength, ms. */
  memory: number;
  halfLife: number;
  /** Candles in the average true range, and the factor that scales it to one hour. */
  rangeLength: number;
  rangeScale: number;
  /** Lengths, in candles, of the two means. The price is above both in an uptrend, and below both in a downtrend. */
  trendLengths: readonly [number, number];
  /**
   * In hourly average true ranges: a pivot's largest distance from its level, how close the price must come to a level, and the
   * stop's distance beyond it.
   */
  tolerance: number;
  zone: number;
  stopGap: number;
  /** Least strength of a level to trade; a new touch has strength 1. */
  strength: number;
  /** In multiples of the risk: least distance of the next level, and the target's distance without one. */
  leastReward: number;
  openReward: number;
  /** Candles before the first entry. */
  warmUp: number;
  /** Candles that the strategy remembers. */
  window: number;
}

/** The tuned parameters (docs/benchmarks.md). Lengths in hours. */
export interface Tuning {
  reach: number;
  trend: readonly [number, number];
  stopGap: number;
  openReward: number;
}

export const TUNING: Tuning = { reach: 6, trend: [480, 960], stopGap: 2, openReward: 12 };

/** The tuning was chosen on candles before this time, ms UTC. Later ones are unseen. */
export const FITTED_UNTIL = Date.UTC(2023, 0, 1);

/** Returns the parameters for candles of `interval` ms, from 5 minutes to a day. */
export function parametersFor(interval: number, tuning = TUNING): Parameters {
  const candles = (hours: number, least: number) => Math.max(least, Math.round((hours * HOUR) / interval));
  const memory = 45 * DAY;
  const reach = candles(tuning.reach, 2);
  const rangeLength = candles(24, 5);
  const trendLengths = [candles(tuning.trend[0], 10), candles(tuning.trend[1], 20)] as const;
  return {
    interval,
    reach,
    memory,
    halfLife: 30 * DAY,
    rangeLength,
    // Ranges grow with the square root of time.
    rangeScale: Math.sqrt(HOUR / interval),
    trendLengths,
    tolerance: 1.5,
    zone: 1,
    stopGap: tuning.stopGap,
    strength: 1,
    leastReward: 3,
    openReward: tuning.openReward,
    warmUp: candles(10 * 24, 20),
    window: Math.max(Math.ceil(memory / interval) + reach + 1, trendLengths[1], rangeLength + 1),
  };
}
