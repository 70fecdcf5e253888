import type { Candle } from '#domain/market/candles.ts';

/** A price at which the market turned. */
export interface Level {
  /** USD. */
  price: number;
  /** How often price turned here within the window. */
  touches: number;
  /** Opening time of the candle that turned here first and last, ms. */
  firstTouch: number;
  lastTouch: number;
  /** What turned here last: a high from below, or a low from above. */
  turned: 'high' | 'low';
  /** More touches, and younger ones, are stronger; above 0. */
  strength: number;
}

/** A way into the market, decided when a candle has closed and to be taken at the next price. */
export interface Entry {
  side: 'long' | 'short';
  /** Turned at a level, or came back to one that it broke. */
  setup: 'bounce' | 'retest';
  level: Level;
  /** USD; beyond the level, on the losing side. */
  stop: number;
  /** USD; at the next level, on the winning side. */
  target: number;
}

/** What the strategy makes of a closed candle. It saw that candle and those before it, and nothing else. */
export interface Signal {
  candle: Candle;
  /** Average true range of an hour, USD; 0 while too little is known. */
  atr: number;
  /** Lowest price first. */
  levels: readonly Level[];
  /** Where price goes on the whole; a position against it is closed. */
  trend: 'up' | 'down' | 'flat';
  entry: Entry | null;
}
