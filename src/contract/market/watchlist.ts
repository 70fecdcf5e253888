import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { atMost, idText } from '../text.ts';
import { WATCH } from './choices.ts';
import { cryptoItem, currency, marketSource } from './market.ts';

export const coinId = z.int().check(z.minimum(1), z.maximum(999_999_999));

/** Maximum number of coins on a watchlist. */
export const MAX_WATCHLIST_COINS = 500;

/** POST /watchlist, idempotent. The id decides; name and symbol are what the user saw. */
export const watchBody = z.object({
  userId: idText,
  cryptoId: coinId,
  cryptoSymbol: z.string().check(atMost(64)),
  cryptoName: z.string().check(atMost(200)),
  actionType: z.union([z.literal(WATCH.add), z.literal(WATCH.remove)]),
});
export type WatchBody = z.infer<typeof watchBody>;
export const watchAnswer = answer(z.object({ cryptoId: z.number(), isWatchListed: z.boolean() }));

/** POST /watchlist/{userId}/order, idempotent: moves a coin before another one, or to the end. */
export const moveBody = z.object({ cryptoId: coinId, beforeId: z.nullable(coinId) });
export type MoveBody = z.infer<typeof moveBody>;
/** All of the user's coins in their order. */
export const moveAnswer = answer(z.object({ ids: z.array(z.number()) }));

/** POST /watchlist/{userId}. `search` matches names and symbols. Pages have `limit` coins and start at 1. */
export const watchlistBody = z.object({
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(5000))),
  convert: z.optional(currency),
  search: z.optional(z.string().check(atMost(200))),
  page: z.optional(z.int().check(z.minimum(1), z.maximum(100_000))),
});
export type WatchlistBody = z.infer<typeof watchlistBody>;

/** Coins in the user's order; without one, the newest first. `ids` are all of the user's coins, even with a search. */
export const watchlistAnswer = z.extend(answer(z.array(cryptoItem)), { source: marketSource, ids: z.array(z.number()) });
