/** A support or resistance price, drawn across the chart. A stronger level has a bolder line. */
export interface DrawnLevel {
  /** USD. */
  price: number;
  kind: 'support' | 'resistance';
  /** 0 to 1. */
  strength: number;
}

/** A price with its meaning, drawn as a dashed line. */
export interface DrawnLine {
  /** USD. */
  price: number;
  title: string;
  tone: Tone;
}

/** A mark at the candle that opens at `time`, ms. */
export interface DrawnMark {
  time: number;
  /** Up arrows are below their candle; down arrows and squares above it. */
  shape: 'arrowUp' | 'arrowDown' | 'square';
  tone: Tone;
  text: string;
}

type Tone = 'up' | 'down' | 'ink-2';

/** What is drawn over the candles. */
export interface Overlays {
  /** Prices to mark. */
  levels?: readonly DrawnLevel[] | undefined;
  /** Prices with a meaning, such as a stop. */
  lines?: readonly DrawnLine[] | undefined;
  /** Marks at candles, oldest first. */
  marks?: readonly DrawnMark[] | undefined;
}
