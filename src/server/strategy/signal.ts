import type { NoEntry } from '#domain/bots/no-entry.ts';
import type { Candle } from '#domain/market/candles.ts';

/** A price at which the market has turned. */
export interface Level {
  /** USD. */
  price: number;
  /** Number of turns within the window. */
  touches: number;
  /** Opening times of the first and last candle that turned here, ms. */
  firstTouch: number;
  lastTouch: number;
  /** The last turn: a high from below, or a low from above. */
  turned: 'high' | 'low';
  /** Above 0; more and more recent touches are stronger. */
  strength: number;
}

/** An entry, decided when a candle closes and placed at the next price. */
export interface Entry {
  side: 'long' | 'short';
  /** The price turned at a level, or returned to one that it broke. */
  setup: 'bounce' | 'retest';
  level: Level;
  /** Beyond the level on the losing side, USD. */
  stop: number;
  /** At the next level on the winning side, USD. */
  target: number;
}

/** The strategy's result for a closed candle. It depends on that candle and earlier ones only. */
export interface Signal {
  candle: Candle;
  /** Hourly average true range, USD; 0 until there are enough candles. */
  atr: number;
  /** Lowest price first. */
  levels: readonly Level[];
  /** The overall direction. A position against it is closed. */
  trend: 'up' | 'down' | 'flat';
  entry: Entry | null;
  /** Why there is no entry; null with one. Signals that earlier versions stored have none. */
  noEntry?: NoEntry | null;
}
