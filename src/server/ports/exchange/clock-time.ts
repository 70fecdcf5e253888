import type { Clock } from '#domain/clock.ts';
import type { CandleFeed } from './exchange.ts';

/** Converts a time of the feed to the server's clock, ms. The two differ when a replay runs faster than real time. */
export const clockTime = (feed: CandleFeed, clock: Clock, feedTime: number): number =>
  Math.min(clock(), Math.round(clock() - (feed.now() - feedTime) / (feed.speed ?? 1)));

/** A time during which a paper market ran at one speed: feed time = feedAnchor + (clock − clockAnchor) × speed. */
export interface FeedSpan {
  clockAnchor: number;
  feedAnchor: number;
  speed: number;
}

/** Returns the feed's time at a time of the server's clock, ms. */
export const feedTime = ({ clockAnchor, feedAnchor, speed }: FeedSpan, clock: number): number =>
  Math.floor(feedAnchor + (clock - clockAnchor) * speed);
