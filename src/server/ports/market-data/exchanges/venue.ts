import * as z from 'zod/mini';
import type { Candle } from '#domain/market/candles.ts';

export const VENUE_IDS = ['binance', 'coinbase', 'kraken', 'okx'] as const;
export type VenueId = (typeof VENUE_IDS)[number];

/** A spot market that is open for trading. `base` and `quote` are the exchange's own codes. */
export interface Market {
  /** The exchange's name of it. */
  id: string;
  base: string;
  quote: string;
}

/** The last trade of a market, in its quote currency. */
export interface Ticker {
  /** The market's id. */
  id: string;
  price: number;
  /** 24 hours ago; null if the exchange does not say. */
  open: number | null;
  /** Traded in 24 hours, in the base currency. */
  volume: number;
  /** ms of the exchange's time; null if the exchange does not say. */
  at: number | null;
}

/** A public call, and how its answer is read. `read` throws on an unknown shape. */
export interface Call<Result> {
  path: string;
  params: Readonly<Record<string, string | number>>;
  read(answer: unknown): Result;
}

/** Candles of `length` ms (an hour or a day) that opened in [from, to). */
export interface CandleSpan {
  length: number;
  from: number;
  to: number;
}

/** What differs between the public APIs of exchanges. */
export interface Venue {
  /** Name of ccxt's class. */
  id: VenueId;
  /** Shown to users. */
  name: string;
  /** Address of the public API. */
  url: string;
  /** Path of a small answer, which shows that the exchange can be reached. */
  ping: string;
  /** Returns the addresses that ccxt's client sends to. */
  addresses(url: string): object;
  /** ccxt's name of the public part of the API. */
  api: string | readonly string[];
  /** Returns the error in an answer with status 200. */
  troubleOf?(answer: unknown): 'limit' | 'failed' | undefined;
  markets: Call<Market[]>;
  tickers: Call<Ticker[]>;
  /** Candles in one answer. */
  page: number;
  /** Returns the call for at most one page of candles. The answer may have others, too, in any order. */
  candles(market: string, span: CandleSpan): Call<Candle[]>;
}

/** The longest text of a figure. */
const MAX_FIGURE = 60;

function numberOf(value: unknown): number | null {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.length > MAX_FIGURE || value.trim() === '')) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** A figure as text or number; null where it is missing or is none. */
export const figure = z.pipe(z.optional(z.unknown()), z.transform(numberOf));
/** The exchange's code or name of something. */
export const code = z.string().check(z.regex(/^[\w.:/-]{1,40}$/));

interface Traded {
  id: string;
  price: number | null;
  open: number | null;
  volume: number | null;
  at?: number | null;
}

/** Returns the tickers of markets that were traded in 24 hours; without a trade, the last price is old. */
export const traded = (rows: readonly Traded[]): Ticker[] =>
  rows.flatMap(({ id, price, open, volume, at = null }) =>
    price !== null && price > 0 && volume !== null && volume > 0
      ? [{ id, price, open: open !== null && open > 0 ? open : null, volume, at }]
      : [],
  );
