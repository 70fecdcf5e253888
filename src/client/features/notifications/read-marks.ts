import { call } from '#client/platform/api/call.ts';
import { transact } from '#client/platform/db/transact.ts';
import type { UserDb, UserTables } from '#client/platform/db/user-db.ts';
import type { Command } from '#client/platform/outbox/command.ts';
import { type HttpLane, refusedFor } from '#client/platform/outbox/http-lanes.ts';
import { enqueue, Refused } from '#client/platform/outbox/outbox.ts';
import { sendSoon } from '#client/platform/outbox/start-lanes.ts';
import { messageAnswer } from '#contract/envelope.ts';
import type { Clock } from '#domain/clock.ts';

const READ = 'notifications';

interface ReadMark {
  userId: string;
  /** ISO 8601. Notifications up to this time are read. */
  upTo: string;
}

interface Options {
  newId?: () => string;
  clock?: Clock;
}

const marksOf = (db: UserTables): Promise<Command<ReadMark>[]> =>
  db.outbox.where('lane').equals(READ).toArray() as Promise<Command<ReadMark>[]>;

/** Returns the latest time up to which unsent marks say "read", ISO 8601. Empty without one. */
export const readUpTo = async (db: UserTables): Promise<string> =>
  (await marksOf(db))
    .map(({ body }) => body.upTo)
    .sort()
    .at(-1) ?? '';

/** Marks all stored notifications as read, at once on the device. Only the latest mark is sent, when possible. */
export async function markAllRead(
  db: UserDb,
  userId: string,
  { newId = () => crypto.randomUUID(), clock = Date.now }: Options = {},
): Promise<void> {
  await transact(db, [db.notifications, db.outbox], async (db) => {
    const newest = await db.notifications.orderBy('created_at').last();
    if (!newest) return;
    await db.notifications.toCollection().modify({ read: true });
    await db.outbox.where('lane').equals(READ).delete();
    await enqueue<ReadMark>(db, { id: newId(), lane: READ, body: { userId, upTo: newest.created_at }, createdAt: clock() });
  });
  sendSoon(READ);
}

/** Sends read marks. A refused mark is dropped, because the user does not wait for it. */
export const readMarksLane: HttpLane<ReadMark> = {
  name: READ,
  async send(_db, { id, body: { userId, upTo } }) {
    try {
      const path = `/notification/${encodeURIComponent(userId)}/read`;
      await call(path, { method: 'POST', body: { upTo }, key: id, answer: messageAnswer });
    } catch (error) {
      if (!(refusedFor(error) instanceof Refused)) throw error;
    }
  },
};
