import { desc } from 'drizzle-orm';
import { DAY } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { paperFeed } from '#server/db/schema/paper.ts';

/** Maps the server's clock to the feed's time: feedAnchor + (clock − clockAnchor) × speed. */
export interface Anchor {
  clockAnchor: number;
  feedAnchor: number;
  speed: number;
  /** Feed time of the history's first candle. */
  firstCandle: number;
}

/** History before the very first start, at least; so that charts have something to show. */
const BEHIND = 10 * DAY;

export const feedTime = ({ clockAnchor, feedAnchor, speed }: Anchor, clock: number): number =>
  Math.floor(feedAnchor + (clock - clockAnchor) * speed);

/**
 * Returns the replay's anchor, which all processes share and restarts keep. The first one starts at the server's clock and keeps the
 * history's times of day. A new speed continues from the current feed time.
 */
export async function readAnchor(
  db: Db,
  { now, speed, historyStart }: { now: number; speed: number; historyStart: number },
): Promise<Anchor> {
  const latest = async () => (await db.select().from(paperFeed).orderBy(desc(paperFeed.id)).limit(1))[0];
  const kept = await latest();
  if (kept?.speed === speed) return kept;
  const next = kept
    ? { id: kept.id + 1, clockAnchor: now, feedAnchor: feedTime(kept, now), speed, firstCandle: kept.firstCandle }
    : { id: 1, clockAnchor: now, feedAnchor: now, speed, firstCandle: firstCandleAt(now, historyStart) };
  // If several processes start at once, the first insert wins.
  await db.insert(paperFeed).values(next).onConflictDoNothing();
  return (await latest()) ?? next;
}

const firstCandleAt = (now: number, historyStart: number): number => historyStart + Math.floor((now - BEHIND - historyStart) / DAY) * DAY;
