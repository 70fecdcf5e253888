import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { atMost, listOf } from '../text.ts';
import { CURRENCIES, LINE_POINTS, type PERIODS } from './choices.ts';
import { RANKINGS } from './rankings.ts';

export const currency = z.enum(CURRENCIES);
export type Currency = z.infer<typeof currency>;
export type Period = (typeof PERIODS)[number];

export const figure = z.nullable(z.number());

/** Figures in one currency, null if the provider doesn't know them. Changes are in percent. */
export const quote = z.object({
  price: figure,
  market_cap: figure,
  volume_24h: figure,
  volume_change_24h: figure,
  fully_diluted_market_cap: figure,
  percent_change_1h: figure,
  percent_change_24h: figure,
  percent_change_7d: figure,
  percent_change_30d: figure,
  percent_change_60d: figure,
  percent_change_90d: figure,
});
export type Quote = z.infer<typeof quote>;

/** Either currency may be missing. Without a USD figure, the BTC figure is shown. */
export const quotes = z.object({ USD: z.optional(quote), BTC: z.optional(quote) });
export type Quotes = z.infer<typeof quotes>;

/** USD prices of the last 7 days, evenly spaced, oldest first, rounded to 5 significant digits. */
export const line7d = z.array(z.number()).check(listOf(LINE_POINTS, LINE_POINTS));

export const cryptoItem = z.object({
  id: z.number(),
  symbol: z.string(),
  name: z.string(),
  rank: z.nullable(z.number()),
  quote: quotes,
  /** Null or absent without a history of 7 days. */
  line_7d: z.optional(z.nullable(line7d)),
});
export type CryptoItem = z.infer<typeof cryptoItem>;

/** Source and age of the figures, part of every market answer. */
export const marketSource = z.object({
  /** Shown to the user, e.g. "Demo snapshot of 21 Feb 2025". */
  name: z.string(),
  /** True without a live provider. The screen then shows the `Demo data` chip. */
  demo: z.boolean(),
  /** ISO 8601, UTC. */
  asOf: z.string(),
  /** True if the provider is unreachable and these are its last figures, from `asOf`. */
  stale: z.optional(z.boolean()),
});
export type MarketSource = z.infer<typeof marketSource>;

/** A filter as typed into its field: digits, or a number. */
const filterValue = z.optional(
  z.pipe(z.union([z.number(), z.string().check(atMost(40), z.regex(/^-?\d{1,18}(\.\d{1,12})?$/))]), z.transform(Number)),
);

/** A coin's id in a path. */
export const coinIdText = z.string().check(atMost(9, 'Not a coin id'), z.regex(/^\d{1,9}$/, 'Not a coin id'));

/** POST /coin-market/get-data. Caps and prices in the requested currency, volumes in USD, changes in percent. */
export const marketListBody = z.object({
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(5000))),
  convert: z.optional(currency),
  sortType: z.optional(z.int().check(z.minimum(1), z.maximum(RANKINGS.length))),
  marketCapMin: filterValue,
  marketCapMax: filterValue,
  volume24hMin: filterValue,
  volume24hMax: filterValue,
  priceMin: filterValue,
  priceMax: filterValue,
  percentChange24hMin: filterValue,
  percentChange24hMax: filterValue,
});
export type MarketListBody = z.infer<typeof marketListBody>;

/** `matches`: how many coins pass the filters. The list has the first `limit` of them. */
export const marketListAnswer = answer(z.object({ data: z.array(cryptoItem), source: marketSource, matches: z.optional(z.number()) }));
