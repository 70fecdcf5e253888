import type { Candle } from '#domain/market/candles.ts';

/** Candles of a coin, in USD. */
export interface SourcedCandles {
  /** Shown to the user, such as "Kraken BTC/USD". */
  source: string;
  /** Oldest first. The last one may still be open. Times without a trade are missing. */
  candles: readonly Candle[];
}

/** Candles that are kept until the next one opens: the same object until they change, so it can key a cache. */
export interface KeptCandles extends SourcedCandles {
  /** When the exchange was asked, ms UTC. */
  asOf: number;
  /** Whether the last refresh failed. */
  stale: boolean;
}

/** Past prices of every coin. Undefined where no market has the coin. Rejects when there was never an answer. */
export interface CoinHistory {
  /** Returns a year of daily candles (UTC). */
  days(coinId: number): Promise<KeptCandles | undefined>;
  /** Returns two weeks of hourly candles. */
  hours(coinId: number): Promise<KeptCandles | undefined>;
}

/** The history of a market whose coins have lines, too. */
export interface MarketHistory extends CoinHistory {
  /** Returns the prices of coins at ages (ms) before the current figures, by coin; none for a younger coin. */
  prices(ids: readonly number[], ages: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>>;
}

/** Reads coins' past prices from exchanges. */
export interface CoinCandles {
  /** Returns the daily candles (UTC) that opened since a time, ms UTC; undefined where no market has the coin. Rejects when no exchange answers. */
  dailyCandles(coinId: number, since: number): Promise<SourcedCandles | undefined>;
  /** The same by the hour. */
  hourlyCandles(coinId: number, since: number): Promise<SourcedCandles | undefined>;
}
