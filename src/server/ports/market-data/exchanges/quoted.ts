import type { VenueId } from './venue.ts';

/** The last trade of a market, with common codes. */
export interface Quoted {
  venue: VenueId;
  base: string;
  quote: string;
  /** Id of the coin that it trades; null for money and unknown coins. */
  coin: number | null;
  /** In the quote currency. */
  price: number;
  /** 24 hours ago; null if unknown. */
  open: number | null;
  /** Traded in 24 hours, in the base currency. */
  volume: number;
  /** ms UTC: the exchange's time of the trade, or when it answered. */
  at: number;
}
