import type { Notification } from '#contract/notification.ts';
import type { Clock } from '#domain/clock.ts';
import { keepNewest } from '#server/db/keep-newest.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { type OwnedId, ownedKey } from '#server/db/owned-rows.ts';
import { notifications as table } from '#server/db/schema/notifications.ts';
import { findNewest, findNotifications, insertNotification, markRead, type NotificationRow } from './store.ts';

/** Notifications stored per user. */
const MAX_STORED = 200;

/** Stores a notification; `link` is a path of the app. Call the returned function after the commit: it pushes to the user's devices. */
export type Notify = (
  tx: Tx,
  userId: string,
  what: { kind: Notification['kind']; text: string; link?: string | undefined },
) => Promise<() => void>;

export interface Notifications {
  notify: Notify;
  /** Returns the newest 200, newest first. */
  list(userId: string): Promise<Notification[]>;
  /** Returns these notifications by `ownedKey`. */
  read(rows: readonly OwnedId[]): Promise<Map<string, Notification>>;
  /** Marks notifications up to this time (ISO 8601) as read. */
  markRead(userId: string, upTo: string): Promise<void>;
  /** Calls the listener for each notification that this process commits. */
  onNotified(listener: (userId: string, notification: Notification) => void): void;
}

export function createNotifications({ db, clock }: { db: Db; clock: Clock }): Notifications {
  const listeners = new Set<(userId: string, notification: Notification) => void>();
  return {
    async notify(tx, userId, { kind, text, link = null }) {
      const row = await insertNotification(tx, { userId, kind, text, link, createdAt: new Date(clock()) });
      await keepNewest(tx, table, userId, MAX_STORED);
      return () => {
        for (const listener of listeners) listener(userId, toNotification(row));
      };
    },

    list: async (userId) => (await findNewest(db, userId, MAX_STORED)).map(toNotification),

    read: async (rows) => new Map((await findNotifications(db, rows)).map((row) => [ownedKey(row), toNotification(row)])),

    markRead: (userId, upTo) => markRead(db, userId, new Date(upTo), new Date(clock())),

    onNotified(listener) {
      listeners.add(listener);
    },
  };
}

const toNotification = (row: NotificationRow): Notification => ({
  id: row.id,
  created_at: row.createdAt.toISOString(),
  notification_text: row.text,
  kind: row.kind,
  link: row.link,
  read: row.readAt !== null,
});
