import { call } from '#client/platform/api/call.ts';
import type { Resource } from '#client/platform/cache/resource.ts';
import { load } from '#client/platform/cache/resource.ts';
import { type UserDb, userDb } from '#client/platform/db/user-db.ts';
import { isReachable } from '#client/platform/live/reachability.ts';
import { signedIn } from '#client/platform/session/signed-in.ts';
import { type Notification, notificationsAnswer } from '#contract/notification.ts';
import { readUpTo } from './read-marks.ts';

interface Wire {
  listed: Notification[];
  /** Ids on the device at the time of the request. Those missing from the answer were deleted; the socket may bring others meanwhile. */
  known: string[];
}

/** The user's notifications, newest first. Read marks of this device apply before the server has received them. */
export const notifications: Resource<{ userId: string }, Wire, Notification[]> = {
  key: () => 'notifications',

  async fetch({ userId }) {
    const known = await userDb(userId).notifications.toCollection().primaryKeys();
    const { data: listed } = await call(`/notification/${encodeURIComponent(userId)}`, { answer: notificationsAnswer });
    return { listed, known };
  },

  async write(db, _params, { listed, known }) {
    const seen = await readUpTo(db);
    const stored = await db.notifications.bulkGet(listed.map(({ id }) => id));
    const ids = new Set(listed.map(({ id }) => id));
    await db.notifications.bulkDelete(known.filter((id) => !ids.has(id)));
    // The answer may be older than a mark that the server has taken since.
    const isRead = (each: Notification, at: number) => each.created_at <= seen || stored[at]?.read === true;
    await db.notifications.bulkPut(listed.map((each, at) => (isRead(each, at) ? { ...each, read: true } : each)));
  },

  async read(db, _params, stamped) {
    const rows = await db.notifications.orderBy('created_at').reverse().toArray();
    return stamped || rows.length > 0 ? rows : undefined;
  },
};

/** The request that is under way, and the database that it fills: a user who signs in during it needs their own. */
let pulling: { db: UserDb; done: Promise<unknown> } | undefined;

/** Reloads the notifications. Concurrent calls share a request. After a failure the stored ones stay until the next sync trigger. */
export async function pullNotifications(): Promise<void> {
  const user = signedIn();
  if (!user || !isReachable()) return;
  if (pulling?.db !== user.db) {
    const mine = { db: user.db, done: load(user.db, notifications, { userId: user.userId }).catch(() => undefined) };
    pulling = mine;
    void mine.done.finally(() => {
      if (pulling === mine) pulling = undefined;
    });
  }
  await pulling.done;
}
