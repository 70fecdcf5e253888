import { DAY, HOUR } from '#domain/clock.ts';

/**
 * How the strategy looks at the market. It thinks in hours, whatever the length of its candles: the levels that people watch
 * do not move with the chart's interval, and neither does what a trade costs.
 */
export interface Parameters {
  /** Length of a candle, ms. */
  interval: number;
  /** Candles on each side that a pivot stands out from. */
  reach: number;
  /** Age at which a pivot is forgotten, and at which a touch counts half, ms. */
  memory: number;
  halfLife: number;
  /** Candles over which the true range is averaged, and what makes the average one of an hour. */
  rangeLength: number;
  rangeScale: number;
  /** Candles of the two means that price has to be above, or below, for a trend. */
  trendLengths: readonly [number, number];
  /**
   * In average true ranges of an hour: how far a pivot may lie from its level, how near price has to come to a level, and how
   * far beyond it the stop lies.
   */
  tolerance: number;
  zone: number;
  stopGap: number;
  /** How strong a level has to be to be traded at; a fresh touch is worth 1. */
  strength: number;
  /** In multiples of the risk: how far the next level has to be, and where the target is when there is none ahead. */
  leastReward: number;
  openReward: number;
  /** Candles before it enters anything. */
  warmUp: number;
  /** Candles beyond which it remembers nothing. */
  window: number;
}

/** What is tuned (docs/benchmarks.md). Lengths in hours. */
export interface Tuning {
  reach: number;
  trend: readonly [number, number];
  stopGap: number;
  openReward: number;
}

const TUNING: Tuning = { reach: 6, trend: [480, 960], stopGap: 2, openReward: 12 };

/** For candles of `interval` ms, 5 minutes to a day. */
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
    // Ranges grow with the root of time.
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
