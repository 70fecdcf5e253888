import type { Quote } from '#contract/market/market.ts';

/** Bitcoin's id at CoinMarketCap, whose ids the whole app uses. */
export const BITCOIN = 1;

/** Identity of a coin. Ids are CoinMarketCap's and unique; symbols are not. */
export interface CoinName {
  id: number;
  name: string;
  symbol: string;
  /** By market cap, from 1; null when the provider does not rank it. */
  rank: number | null;
}

export interface CoinTag {
  /** The provider's spelling, such as `layer-1`. */
  slug: string;
  name: string;
}

/** A coin with its figures. A figure is null where the provider has none, and undefined where only this side lacks it. */
export interface Coin extends CoinName {
  circulatingSupply?: number | null | undefined;
  maxSupply?: number | null | undefined;
  tags?: readonly CoinTag[] | undefined;
  quote: { USD: Quote; BTC: Quote };
}
