import type { Clock } from '#domain/clock.ts';
import type { CandleFeed } from './exchange.ts';

/** Converts a time of the feed to the server's clock, ms. The two differ when a replay runs faster than real time. */
export const clockTime = (feed: CandleFeed, clock: Clock, feedTime: number): number =>
  Math.min(clock(), Math.round(clock() - (feed.now() - feedTime) / (feed.speed ?? 1)));
