import type { Stretch } from '#server/strategy/matching/types.ts';
import type { CandleFeed } from './exchange.ts';

/**
 * A feed whose whole price path this process knows. An account can be advanced along any part of it, at once or step by step, with
 * the same result.
 */
export interface SimulatedFeed extends CandleFeed {
  /** Returns the price at a past time of the feed, USD. */
  priceAt(time: number): number;
  /**
   * Returns the price path between two times. A piece that `from` cuts starts at the price there and keeps its original time.
   * No piece spans two candles.
   */
  way(from: number, to: number): readonly Stretch[];
}
