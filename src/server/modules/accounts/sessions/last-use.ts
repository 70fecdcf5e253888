import { eq, sql } from 'drizzle-orm';
import { type Clock, MINUTE } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { sessions } from '#server/db/schema/sessions.ts';

/** Interval for storing when a session was last used, ms. */
export const SEEN_EVERY = 5 * MINUTE;

/** The stored time when a session was last used. */
export const lastUse = sql`coalesce(${sessions.lastSeenAt}, ${sessions.createdAt})`;

/** Stores that a session is in use, unless `seenAt` is recent. */
export async function markSeen(db: Db, clock: Clock, sessionId: string, seenAt: Date | null): Promise<void> {
  if (seenAt !== null && Math.abs(clock() - seenAt.getTime()) < SEEN_EVERY) return;
  await db
    .update(sessions)
    .set({ lastSeenAt: new Date(clock()) })
    .where(eq(sessions.id, sessionId));
}
