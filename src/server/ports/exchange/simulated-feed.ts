import type { Stretch } from '#server/strategy/matching/types.ts';
import type { CandleFeed } from './exchange.ts';

/**
 * A feed whose whole way is known to this process, so that an account can be taken along any part of it, at once or piece
 * by piece, with the same result.
 */
export interface SimulatedFeed extends CandleFeed {
  /** USD at a moment of the feed's time that is not yet to come. */
  priceAt(time: number): number;
  /**
   * The way from one moment to another. A piece that is cut begins at the cut's price and keeps the time at which it
   * really began; none reaches over the beginning of a candle.
   */
  way(from: number, to: number): readonly Stretch[];
}
