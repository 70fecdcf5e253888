import { DAY, HOUR } from '../../domain/clock';

/**
 * How the strategy looks at the market. It thinks in hours, whatever the length of its candles: levels that people watch
 * do not change with the chart's interval, and what a trade costs stays the same.
 */
export interface Parameters {
  /** Length of a candle, ms. */
  interval: number;
  /** Candles on each side that a pivot stands out from. */
  reach: number;
  /** Age at which a pivot is forgotten, ms. */
  memory: number;
  /** Age at which a touch counts half, ms. */
  halfLife: number;
  /** Candles over which the true range is averaged. */
  atrPeriod: number;
  /** What an average true range of these candles is multiplied with to be one of an hour. */
  atrScale: number;
  /** Candles over which the trend is told. */
  trend: number;
  /** In average true ranges of an hour: how far pivots of one level lie from its mean, how near price has to come to a level,
   * and how far beyond it the stop lies. */
  tolerance: number;
  zone: number;
  stopGap: number;
  /** Strength a level must have to be traded at. */
  strength: number;
  /** Least reward, in multiples of the risk, and the target where no level lies ahead. */
  leastReward: number;
  openReward: number;
  /** Candles that the strategy needs, and beyond which it remembers nothing. */
  window: number;
}

/** The tuned parameters (docs/benchmarks.md), for candles of `interval` ms: 5 minutes to a day. */
export function parametersFor(interval: number): Parameters {
  const candles = (hours: number, least: number) => Math.max(least, Math.round((hours * HOUR) / interval));
  const memory = 60 * DAY;
  const reach = candles(24, 2);
  const trend = candles(480, 10);
  const atrPeriod = candles(24, 5);
  return {
    interval,
    reach,
    memory,
    halfLife: 20 * DAY,
    atrPeriod,
    // Ranges grow with the root of time.
    atrScale: Math.sqrt(HOUR / interval),
    trend,
    tolerance: 1.5,
    zone: 0.5,
    stopGap: 1.5,
    strength: 0.5,
    leastReward: 1.5,
    openReward: 4,
    window: Math.max(Math.ceil(memory / interval) + 2 * reach + 2, trend + 1, atrPeriod + 1),
  };
}
