import { call } from '#client/platform/api/call.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import type { Command } from '#client/platform/outbox/command.ts';
import { type HttpLane, refusedFor } from '#client/platform/outbox/http-lanes.ts';
import { enqueue, Refused } from '#client/platform/outbox/outbox.ts';
import { sendSoon } from '#client/platform/outbox/start-lanes.ts';
import { messageAnswer } from '#contract/envelope.ts';
import type { Clock } from '#domain/clock.ts';

const READ = 'notifications';

interface ReadMark {
  userId: string;
  /** ISO 8601: all up to then are read. */
  upTo: string;
}

interface Means {
  newId?: () => string;
  clock?: Clock;
}

const marksOf = (db: UserDb): Promise<Command<ReadMark>[]> =>
  db.outbox.where('lane').equals(READ).toArray() as Promise<Command<ReadMark>[]>;

/** Up to when the user has read here, as far as the server has not heard of it; empty for nothing. */
export const readUpTo = async (db: UserDb): Promise<string> =>
  (await marksOf(db))
    .map(({ body }) => body.upTo)
    .sort()
    .at(-1) ?? '';

/** Marks all that is on the device as read. Shown at once, sent when that can be; only the last mark is sent. */
export async function markAllRead(
  db: UserDb,
  userId: string,
  { newId = () => crypto.randomUUID(), clock = Date.now }: Means = {},
): Promise<void> {
  await db.transaction('rw', db.notifications, db.outbox, async () => {
    const newest = await db.notifications.orderBy('created_at').last();
    if (!newest) return;
    await db.notifications.toCollection().modify({ read: true });
    await db.outbox.where('lane').equals(READ).delete();
    await enqueue<ReadMark>(db, { id: newId(), lane: READ, body: { userId, upTo: newest.created_at }, createdAt: clock() });
  });
  sendSoon(READ);
}

/** Sends marks. One that the server will not have is dropped: nobody waits for it. */
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
