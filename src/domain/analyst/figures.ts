import type { MarketSource } from '#contract/market/market.ts';
import type { Bar, Candle } from '../market/candles.ts';
import type { Coin, CoinName } from '../market/coin.ts';

/** Daily candles of a coin, oldest first. */
export interface CoinDays {
  /** Shown to the user, such as "Kraken BTC/USD". */
  source: string;
  /** The demo market has drawn at least a part of them. */
  demo: boolean;
  candles: readonly Bar[];
}

/** Bitcoin's hourly candles, oldest first. */
export interface BitcoinHours {
  /** Shown to the user. */
  source: string;
  interval: '1h';
  candles: readonly Candle[];
}

/** Figures of the perpetual future on a coin. */
export interface Perpetual {
  /** Shown to the user, such as "Bybit BTCUSDT perpetual". */
  source: string;
  /** ms UTC. */
  asOf: number;
  /** Share of a position's value that longs pay to shorts when it is due next; negative where shorts pay. */
  fundingRate: number;
  /** ms UTC. */
  nextFundingAt: number;
  /** All open positions, in coins and in USD; undefined where the exchange does not tell them. */
  openInterest: { coins: number; usd: number } | undefined;
}

/** Why there are no figures of a perpetual: a device without a connection, an exchange that does not answer, or one that has none. */
export type NoPerpetual = 'offline' | 'away' | 'none';

/** The listed coins, largest market cap first, and where their figures come from. */
export interface Listing {
  coins: readonly Coin[];
  source: MarketSource;
}

/** What the analyst's rules know: the server's market data, or what a device has stored. */
export interface Figures {
  listing(): Promise<Listing>;
  /** Returns every coin that a question can name, best rank first. */
  names(): Promise<readonly CoinName[]>;
  /** Returns a coin outside the listing; undefined for one without figures. */
  coin(id: number): Promise<Coin | undefined>;
  /** Returns up to a year of candles; undefined where there are none. */
  days(coinId: number): Promise<CoinDays | undefined>;
  perpetual(coinId: number): Promise<Perpetual | NoPerpetual>;
  /** Undefined where there are none. */
  bitcoinHours(): Promise<BitcoinHours | undefined>;
}
