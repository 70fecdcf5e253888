import { desc } from 'drizzle-orm';
import { DAY } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { paperFeed } from '#server/db/schema/paper.ts';

/** The feed's time follows from the clock's: feedAnchor + (clock − clockAnchor) × speed. */
export interface Anchor {
  clockAnchor: number;
  feedAnchor: number;
  speed: number;
  /** Feed time at which the first candle of the history stands. */
  firstCandle: number;
}

/** How much of the history lies behind the moment of the very first start, at least: it has something to show at once. */
const BEHIND = 10 * DAY;

export const feedTime = ({ clockAnchor, feedAnchor, speed }: Anchor, clock: number): number =>
  Math.floor(feedAnchor + (clock - clockAnchor) * speed);

/**
 * Where the replay stands, the same for every process and after every restart. It begins at the clock's time, with the
 * history's hours of the day where they were; another speed goes on from where it stands.
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
  // Of several processes that start at once the first one's word holds.
  await db.insert(paperFeed).values(next).onConflictDoNothing();
  return (await latest()) ?? next;
}

const firstCandleAt = (now: number, historyStart: number): number => historyStart + Math.floor((now - BEHIND - historyStart) / DAY) * DAY;
