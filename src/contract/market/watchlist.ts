import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { atMost, idText } from '../text.ts';
import { cryptoItem, currency, marketSource } from './market.ts';

/** What a heart does (spec §3). */
export const WATCH = { add: 1, remove: 2 } as const;

const coinId = z.int().check(z.minimum(1), z.maximum(999_999_999));

/** POST /watchlist. Name and symbol are what the user saw; the id decides. Doing it twice changes nothing more. */
export const watchBody = z.object({
  userId: idText,
  cryptoId: coinId,
  cryptoSymbol: z.string().check(atMost(64)),
  cryptoName: z.string().check(atMost(200)),
  actionType: z.union([z.literal(WATCH.add), z.literal(WATCH.remove)]),
});
export type WatchBody = z.infer<typeof watchBody>;
export const watchAnswer = answer(z.object({ cryptoId: z.number(), isWatchListed: z.boolean() }));

/** POST /watchlist/{userId}. `search` is in names and symbols; a page has `limit` coins, the first is 1. */
export const watchlistBody = z.object({
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(5000))),
  convert: z.optional(currency),
  search: z.optional(z.string().check(atMost(200))),
  page: z.optional(z.int().check(z.minimum(1), z.maximum(100_000))),
});
export type WatchlistBody = z.infer<typeof watchlistBody>;

/** The coins in the order they were added, the last one first. `ids` are all of the user's, whatever was searched. */
export const watchlistAnswer = z.extend(answer(z.array(cryptoItem)), { source: marketSource, ids: z.array(z.number()) });
