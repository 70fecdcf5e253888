import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { atMost, listOf } from '../text.ts';
import { CURRENCIES, type PERIODS } from './choices.ts';
import { RANKINGS } from './rankings.ts';

export const currency = z.enum(CURRENCIES);
export type Currency = z.infer<typeof currency>;
export type Period = (typeof PERIODS)[number];

const figure = z.nullable(z.number());

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

export const cryptoItem = z.object({ id: z.number(), symbol: z.string(), name: z.string(), rank: z.nullable(z.number()), quote: quotes });
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

/** A coin that a search found. Price in USD and its change in percent, null or absent if unknown. */
export const searchHit = z.object({
  id: z.number(),
  name: z.string(),
  symbol: z.string(),
  price: z.optional(figure),
  percent_change_24h: z.optional(figure),
});
export type SearchHit = z.infer<typeof searchHit>;

const link = z.nullable(z.string());

/** What one of several sources says about a price, in USD. */
const priceSource = z.object({
  /** Shown to the user, e.g. "Kraken". */
  name: z.string(),
  price: z.number(),
  /** ISO 8601, UTC. */
  asOf: z.string(),
});

/** One coin in full. Missing links and figures are null. */
export const cryptoDetails = z.extend(cryptoItem, {
  ucid: z.number(),
  circulating_supply: figure,
  total_supply: figure,
  max_supply: figure,
  websiteUrl: link,
  technicalDocUrl: link,
  redditUrl: link,
  githubUrl: link,
  explorerUrl: link,
  ratingScore: figure,
  tags: z.array(z.object({ name: z.string() })),
  isWatchListed: z.boolean(),
  /** Where the price comes from, if several sources give it. The most traded first. */
  sources: z.optional(z.array(priceSource)),
  /** Percent between the lowest and the highest source. */
  spread: z.optional(z.number()),
  /** True if the market cap is the price times the last known supply. */
  market_cap_estimated: z.optional(z.boolean()),
});
export type CryptoDetails = z.infer<typeof cryptoDetails>;

/** GET /coin-market/candles/{cryptoId}: daily candles of a coin. Prices in USD, volume in coins. */
export const dailyCandles = z.object({
  /** Shown to the user, e.g. "Binance BTC/USDT spot". */
  source: z.string(),
  /** Oldest first. `time` is the start of the day in ms UTC. Empty without a history. */
  candles: z.array(
    z.object({ time: z.number(), open: z.number(), high: z.number(), low: z.number(), close: z.number(), volume: z.nullable(z.number()) }),
  ),
});
export type DailyCandles = z.infer<typeof dailyCandles>;
export type DailyCandle = DailyCandles['candles'][number];
export const dailyCandlesAnswer = answer(dailyCandles);

/** Figures of a coin that update live. */
const tickQuote = z.object({ price: figure, market_cap: figure, percent_change_24h: figure });
export const coinTick = z.object({ id: z.number(), quote: z.object({ USD: tickQuote, BTC: tickQuote }) });
export type CoinTick = z.infer<typeof coinTick>;

/** Changed figures of coins on the screen, sent over the socket. */
export const coinTicks = z.object({ source: marketSource, coins: z.array(coinTick) });
export type CoinTicks = z.infer<typeof coinTicks>;

/** Maximum coins of one `watch_coins`. */
export const MAX_WATCHED = 200;

/** Ids of the coins on the screen. Each message replaces the previous one; an empty list ends the ticks. */
export const watchedCoins = z.array(z.int().check(z.minimum(1), z.maximum(999_999_999))).check(listOf(MAX_WATCHED));

/** `matches`: how many coins pass the filters. The list has the first `limit` of them. */
export const marketListAnswer = answer(z.object({ data: z.array(cryptoItem), source: marketSource, matches: z.optional(z.number()) }));
export const searchAnswer = answer(z.array(searchHit));
export const cryptoDetailsAnswer = answer(z.extend(cryptoDetails, { source: marketSource }));
