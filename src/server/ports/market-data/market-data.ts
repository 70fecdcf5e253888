import type { MarketSource, Quote } from '#contract/market/market.ts';
import type { Candle } from '#domain/market/candles.ts';

/** Bitcoin's id, everybody's: they are CoinMarketCap's. */
export const BITCOIN = 1;

/** What a coin is recognised by. Ids are CoinMarketCap's; symbols are not unique, ids are. */
export interface CoinName {
  id: number;
  name: string;
  symbol: string;
  /** By market cap, 1 the largest; null when the provider ranks it nowhere. */
  rank: number | null;
}

export interface MarketCoin extends CoinName {
  /** ISO 8601 date the provider added the coin on. */
  dateAdded: string;
  circulatingSupply: number | null;
  totalSupply: number | null;
  maxSupply: number | null;
  tags: readonly CoinTag[];
  quote: { USD: Quote; BTC: Quote };
}

export interface CoinTag {
  /** The provider's own spelling, e.g. `layer-1`. */
  slug: string;
  name: string;
}

/** Addresses of a project's own pages; null where there is none. */
export interface CoinLinks {
  website: string | null;
  technicalDoc: string | null;
  reddit: string | null;
  sourceCode: string | null;
  explorer: string | null;
}

/** The market at one moment. The same object is handed out until figures move, so it can key a cache. */
export interface MarketSnapshot {
  source: MarketSource;
  /** Largest market cap first. */
  coins: readonly MarketCoin[];
}

export interface CandleSeries {
  /** Named to the user, e.g. "Binance BTC/USDT spot". */
  source: string;
  interval: '1h';
  /** It reaches up to now: nothing that was recorded here comes after it, and its last day may not be over. */
  current?: boolean;
  /** Oldest first. */
  candles: readonly Candle[];
}

/** Where a provider tells of its calls and troubles. Never of its key. */
export interface MarketLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

/**
 * Where figures come from. Methods reject with the 503 problem when the provider can't be reached and nothing is kept
 * from before; otherwise they answer what is kept, with `stale` in its source.
 */
export interface MarketData {
  snapshot(): Promise<MarketSnapshot>;
  /**
   * The provider's own list for a ranking type (spec §9), in its order; undefined where it has none to give, and the
   * figures of `snapshot` have to tell the order.
   */
  ranking(type: number): Promise<MarketSnapshot | undefined>;
  /** One coin in full with the source of its figures; undefined for an id the provider does not know. */
  details(id: number): Promise<{ coin: MarketCoin; links: CoinLinks; source: MarketSource } | undefined>;
  /** Every coin that can be looked up, best rank first. */
  searchMap(): Promise<readonly CoinName[]>;
  /** The coins seen so far, without asking anybody: empty before a provider's first answer. */
  known(): readonly CoinName[];
  /** BTC's history; undefined when the provider gives none. */
  btcCandles(): Promise<CandleSeries | undefined>;
  /** Called once, by the server that asks. A market inside this process has nothing to tell. */
  logTo?(log: MarketLog): void;
}
