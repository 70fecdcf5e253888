import type { DailyCandle } from '#contract/market/chart-candles.ts';
import type { MarketSource } from '#contract/market/market.ts';
import { DAY, HOUR } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import type { Coin, CoinName, CoinTag } from '#domain/market/coin.ts';
import type { MarketHistory } from './coin-candles.ts';

export interface MarketCoin extends Coin {
  /** ISO 8601 date on which the provider added the coin. */
  dateAdded: string;
  circulatingSupply: number | null;
  totalSupply: number | null;
  maxSupply: number | null;
  tags: readonly CoinTag[];
  /** Where the price comes from, if the provider combines several sources. The most traded first. */
  sources?: readonly PriceSource[];
  /** Whether the market cap is the price times the last known supply. */
  isCapEstimated?: boolean;
}

export interface PriceSource {
  /** Shown to the user, such as "Kraken". */
  name: string;
  /** USD. */
  price: number;
  /** ISO 8601, UTC. */
  asOf: string;
}

/** A project's own web addresses; null when it has none. */
export interface CoinLinks {
  website: string | null;
  technicalDoc: string | null;
  reddit: string | null;
  sourceCode: string | null;
  explorer: string | null;
}

/** The market at one moment. The same object is returned until figures change, so it can key a cache. */
export interface MarketSnapshot {
  source: MarketSource;
  /** Largest market cap first. */
  coins: readonly MarketCoin[];
}

export interface CandleSeries {
  /** Shown to the user, such as "Binance BTC/USDT spot". */
  source: string;
  interval: '1h';
  /** Whether the series reaches the present. Then no recorded day follows, and its last day may be incomplete. */
  current?: boolean;
  /** Oldest first. */
  candles: readonly Candle[];
}

/** Candles of one coin, oldest first. */
export interface CoinSeries {
  /** Shown to the user. */
  source: string;
  /** Length of a candle, ms. */
  interval: number;
  /** True if at least a part is drawn instead of traded. */
  demo: boolean;
  /** ISO 8601. */
  asOf: string;
  /** True if the provider is unreachable and these are the last candles. */
  stale?: boolean;
  candles: readonly DailyCandle[];
}

/** Units of currencies for one USD. */
export interface MoneyRates {
  /** Shown to the user. */
  source: string;
  /** ISO 8601, UTC. */
  asOf: string;
  rates: ReadonlyMap<string, number>;
}

/** Lengths of candles that histories have, ms. */
export const CANDLE_MS = { '1h': HOUR, '1d': DAY };
export type CandleInterval = keyof typeof CANDLE_MS;

/** The histories that a simulated market draws, up to its current figures. */
export interface DrawnHistory {
  /** Returns undefined for an unknown coin. */
  candles(id: number, interval: CandleInterval): Promise<CoinSeries | undefined>;
  /** Returns the prices of coins at ages (ms), by coin; none for an unknown coin, or one that is younger. */
  prices(ids: readonly number[], ages: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>>;
}

/** Log of a provider's requests and failures. It never contains the key. */
export interface MarketLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

/** Tells other processes at once that an answer is wanted or stored, by its key. Hints may be lost. */
export interface MarketHints {
  publish(key: string): void;
  listen(listener: (key: string) => void): void;
}

/** A process's part in a market that several share. */
export interface Sharing {
  /** Leads, or waits for the leader's end. Resolves after the first attempt. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A source of market data. Methods reject with a 503 problem when the provider is unreachable and nothing is cached.
 * Otherwise they return the cached answer with `stale` in its source.
 */
export interface MarketData {
  snapshot(): Promise<MarketSnapshot>;
  /** The provider's list for a ranking type, in its order; undefined when it has none, so that callers rank `snapshot`. */
  ranking(type: number): Promise<MarketSnapshot | undefined>;
  /** Returns a coin and the source of its figures; undefined for an id that the provider does not know. */
  details(id: number): Promise<{ coin: MarketCoin; links: CoinLinks; source: MarketSource } | undefined>;
  /** Returns every searchable coin, best rank first. */
  searchMap(): Promise<readonly CoinName[]>;
  /** Returns the cached coins without a request: empty before the provider's first answer. */
  known(): readonly CoinName[];
  /** Returns a coin that the market does not show now but will, from a source that is not reached yet. */
  awaited?(id: number): CoinName | undefined;
  /** Returns BTC's history; undefined when the provider has none. */
  btcCandles(): Promise<CandleSeries | undefined>;
  /** Returns the rates of money that came with the current figures, without a request. */
  money?(): MoneyRates | undefined;
  /** Past prices of every coin, where the provider has them. */
  readonly history?: MarketHistory | undefined;
  /** Set if the market is simulated. */
  readonly drawn?: DrawnHistory | undefined;
  /** Called once by the server. A simulated market has nothing to log. */
  logTo?(log: MarketLog): void;
  /** Called once by a server whose market is shared with other processes. */
  share?(parts: { hints: MarketHints; log: MarketLog }): Sharing;
}
