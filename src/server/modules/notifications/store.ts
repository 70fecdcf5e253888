import { and, desc, eq, isNull, lte } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/open.ts';
import { isOneOf, type OwnedId } from '#server/db/owned-rows.ts';
import { notifications } from '#server/db/schema/notifications.ts';

export type NotificationRow = typeof notifications.$inferSelect;

export async function insertNotifications(tx: Tx, rows: readonly NotificationRow[]): Promise<void> {
  await tx.insert(notifications).values([...rows]);
}

/** Returns the newest notifications, newest first. */
export const findNewest = (db: Db, userId: string, count: number): Promise<NotificationRow[]> =>
  db
    .select()
    .from(notifications)
    .where(eq(notifications.userId, userId))
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(count);

/** Returns these notifications; unknown ones are left out. */
export const findNotifications = (db: Db, rows: readonly OwnedId[]): Promise<NotificationRow[]> =>
  db
    .select()
    .from(notifications)
    .where(isOneOf(notifications.userId, notifications.id, rows));

export async function markRead(db: Db, userId: string, upTo: Date, readAt: Date): Promise<void> {
  await db
    .update(notifications)
    .set({ readAt })
    .where(and(eq(notifications.userId, userId), lte(notifications.createdAt, upTo), isNull(notifications.readAt)));
}
