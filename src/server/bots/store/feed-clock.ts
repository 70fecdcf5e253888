import { asc, eq, min } from 'drizzle-orm';
import type { Clock } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { paperFeed } from '#server/db/schema/paper.ts';
import { clockTime, type FeedSpan, feedTime } from '#server/ports/exchange/clock-time.ts';
import type { CandleFeed } from '#server/ports/exchange/exchange.ts';

/** Converts between the feed's time and the server's clock, both in ms, also before the speed of a replay changed. */
export interface FeedClock {
  /** When the feed began, ms of the server's clock. */
  since: number;
  toFeed(clock: number): number;
  toClock(feed: number): number;
}

/** Reads how the current feed ran until now. */
export async function readFeedClock(db: Db, feed: CandleFeed, clock: Clock): Promise<FeedClock> {
  const spans: FeedSpan[] =
    feed.epoch === undefined ? [] : await db.select().from(paperFeed).where(eq(paperFeed.epoch, feed.epoch)).orderBy(asc(paperFeed.id));
  const now = { clockAnchor: clock(), feedAnchor: feed.now(), speed: feed.speed ?? 1 };
  const [first = now] = spans;
  return {
    since: spans.length === 0 ? Number.NEGATIVE_INFINITY : first.clockAnchor,
    toFeed: (at) => feedTime(spans.findLast(({ clockAnchor }) => clockAnchor <= at) ?? first, at),
    toClock: (at) => {
      const span = spans.findLast(({ feedAnchor }) => feedAnchor <= at);
      return span ? Math.round(span.clockAnchor + (at - span.feedAnchor) / span.speed) : clockTime(feed, clock, at);
    },
  };
}

/** Returns when the paper market changed to the current feed, ms of both clocks; null if it never did, and for real markets. */
export async function findPricesBegan(db: Db, { epoch = 1 }: Pick<CandleFeed, 'epoch'>): Promise<number | null> {
  if (epoch === 1) return null;
  const [row] = await db
    .select({ began: min(paperFeed.feedAnchor) })
    .from(paperFeed)
    .where(eq(paperFeed.epoch, epoch));
  return row?.began ?? null;
}
