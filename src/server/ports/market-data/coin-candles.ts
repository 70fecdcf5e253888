import type { Candle } from '#domain/market/candles.ts';

/** Candles of a coin, in USD. */
export interface SourcedCandles {
  /** Shown to the user, such as "Kraken BTC/USD". */
  source: string;
  /** Oldest first. The last one may still be open. Times without a trade are missing. */
  candles: readonly Candle[];
}

/** A provider of coins' past prices: a year of days, two weeks of hours. */
export interface CoinCandles {
  /** Returns the daily candles (UTC) that opened since a time, ms UTC; undefined where no market has the coin. Rejects when no exchange answers. */
  dailyCandles(coinId: number, since: number): Promise<SourcedCandles | undefined>;
  /** The same by the hour. */
  hourlyCandles(coinId: number, since: number): Promise<SourcedCandles | undefined>;
}
