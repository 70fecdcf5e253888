import { call } from '#client/platform/api/call.ts';
import type { Resource } from '#client/platform/cache/resource.ts';
import { load } from '#client/platform/cache/resource.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { isReachable } from '#client/platform/live/reachability.ts';
import { signedIn } from '#client/platform/session/signed-in.ts';
import { type Notification, notificationsAnswer } from '#contract/notification.ts';
import { readUpTo } from './read-marks.ts';

/** The user's notifications, newest first. Read marks of this device apply before the server has received them. */
export const notifications: Resource<{ userId: string }, Notification[], Notification[]> = {
  key: () => 'notifications',

  fetch: async ({ userId }) => (await call(`/notification/${encodeURIComponent(userId)}`, { answer: notificationsAnswer })).data,

  async write(db, _params, listed) {
    const seen = await readUpTo(db);
    const ids = new Set(listed.map(({ id }) => id));
    const gone = (await db.notifications.toCollection().primaryKeys()).filter((id) => !ids.has(id));
    await db.notifications.bulkDelete(gone);
    await db.notifications.bulkPut(listed.map((each) => (each.created_at <= seen ? { ...each, read: true } : each)));
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
