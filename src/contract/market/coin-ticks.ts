import * as z from 'zod/mini';
import { listOf } from '../text.ts';
import { figure, marketSource } from './market.ts';

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
