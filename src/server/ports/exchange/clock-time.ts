import type { Clock } from '#domain/clock.ts';
import type { CandleFeed } from './exchange.ts';

/** The clock's time of a moment of the feed, ms: the two run apart where a replay is faster than life. */
export const clockTime = (feed: CandleFeed, clock: Clock, feedTime: number): number =>
  Math.min(clock(), Math.round(clock() - (feed.now() - feedTime) / (feed.speed ?? 1)));
