import { and, desc, eq, isNull } from 'drizzle-orm';
import type { ChannelName } from '#contract/notifications/channels.ts';
import type { Reached } from '#contract/notifications/settings.ts';
import type { Db } from '#server/db/open.ts';
import { deliveries, destinations, notificationSettings } from '#server/db/schema/deliveries.ts';

export type DestinationRow = typeof destinations.$inferSelect;

export async function findSettings(db: Db, userId: string): Promise<typeof notificationSettings.$inferSelect | undefined> {
  const [row] = await db.select().from(notificationSettings).where(eq(notificationSettings.userId, userId));
  return row;
}

/** Returns a user's newest destination of a channel that has one at most. */
export async function findDestination(db: Db, userId: string, channel: ChannelName): Promise<DestinationRow | undefined> {
  const [row] = await db
    .select()
    .from(destinations)
    .where(and(eq(destinations.userId, userId), eq(destinations.channel, channel)))
    .orderBy(desc(destinations.createdAt))
    .limit(1);
  return row;
}

export const countBrowsers = (db: Db, userId: string): Promise<number> =>
  db.$count(destinations, and(eq(destinations.userId, userId), eq(destinations.channel, 'push'), isNull(destinations.endedAt)));

/** Deletes a user's destinations of a channel. Returns whether there was one. */
export async function deleteDestinations(db: Db, userId: string, channel: ChannelName): Promise<boolean> {
  const gone = await db
    .delete(destinations)
    .where(and(eq(destinations.userId, userId), eq(destinations.channel, channel)))
    .returning({ id: destinations.id });
  return gone.length > 0;
}

/** Returns how a destination is doing, from its last delivery. */
export async function reachedOf(db: Db, { id, endedAt }: DestinationRow, name: string): Promise<Reached> {
  const [last] = await db
    .select({ sentAt: deliveries.sentAt, failure: deliveries.failure })
    .from(deliveries)
    .where(eq(deliveries.destinationId, id))
    .orderBy(desc(deliveries.createdAt))
    .limit(1);
  const sentAt = last?.sentAt?.toISOString() ?? null;
  return { name, ended_at: endedAt?.toISOString() ?? null, sent_at: sentAt, failure: last?.failure ?? null };
}
