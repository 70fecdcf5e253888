import type { Stretch } from '#server/strategy/matching/types.ts';
import type { CandleFeed } from './exchange.ts';

/**
 * A feed whose price path this process knows. An account can be advanced along any part of it, at once or step by step, with
 * the same result.
 */
export interface SimulatedFeed extends CandleFeed {
  /**
   * Loads the path of live prices from `from`; without it, only the current price. A replay knows its path.
   * @throws ExchangeError `unavailable` while there are no prices to trade on
   */
  load?(from?: number): Promise<void>;
  /** Returns up to when the path is known, ms; a replay's is known up to now. */
  knownTo?(): number;
  /** Returns the price at a time of the feed, past or current, USD. */
  priceAt(time: number): number;
  /**
   * Returns the price path between two times. A piece that `from` cuts starts at the price there and keeps its original time.
   * No piece spans two candles.
   */
  way(from: number, to: number): readonly Stretch[];
}
