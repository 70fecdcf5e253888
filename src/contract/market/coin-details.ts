import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { cryptoItem, figure, marketSource } from './market.ts';

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
export const cryptoDetailsAnswer = answer(z.extend(cryptoDetails, { source: marketSource }));
