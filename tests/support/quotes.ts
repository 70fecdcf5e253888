import type { Quote } from '../../src/contract/market';

const UNKNOWN: Quote = {
  price: null,
  market_cap: null,
  volume_24h: null,
  volume_change_24h: null,
  fully_diluted_market_cap: null,
  percent_change_1h: null,
  percent_change_24h: null,
  percent_change_7d: null,
  percent_change_30d: null,
  percent_change_60d: null,
  percent_change_90d: null,
};

/** A quote of which only the given figures are known. */
export const quote = (known: Partial<Quote>): Quote => ({ ...UNKNOWN, ...known });
