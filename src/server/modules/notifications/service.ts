import type { Notification } from '#contract/notification.ts';
import type { Clock } from '#domain/clock.ts';
import { keepNewest } from '#server/db/keep-newest.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { type OwnedId, ownedKey } from '#server/db/owned-rows.ts';
import { notifications as table } from '#server/db/schema/notifications.ts';
import type { CountClock } from '#server/db/windows.ts';
import { enqueue } from './deliveries/enqueue.ts';
import { findNewest, findNotifications, insertNotification, markRead, type NotificationRow } from './store.ts';

/** Notifications stored per user. */
const MAX_STORED = 200;

export interface Notice {
  kind: Notification['kind'];
  text: string;
  /** A path of the app. */
  link?: string | undefined;
  /** Passes quiet hours, and is mailed if nothing shows it within two minutes. */
  urgent?: boolean | undefined;
}

/** Stores a notification and its deliveries. Call the returned function after the commit: it pushes to the user's devices. */
export type Notify = (tx: Tx, userId: string, what: Notice) => Promise<() => void>;

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
  /** Calls the listener when this process has committed deliveries. */
  onQueued(listener: () => void): void;
}

/** @param countClock the clock of deliveries, which other processes may send. */
export function createNotifications({ db, clock, countClock = clock }: { db: Db; clock: Clock; countClock?: CountClock }): Notifications {
  const listeners = new Set<(userId: string, notification: Notification) => void>();
  const senders = new Set<() => void>();
  return {
    async notify(tx, userId, { kind, text, link = null, urgent = false }) {
      const row = await insertNotification(tx, { userId, kind, text, link, createdAt: new Date(clock()) });
      await keepNewest(tx, table, userId, MAX_STORED);
      const queued = await enqueue(tx, countClock, row, urgent);
      return () => {
        for (const listener of listeners) listener(userId, toNotification(row));
        if (queued > 0) for (const send of senders) send();
      };
    },

    list: async (userId) => (await findNewest(db, userId, MAX_STORED)).map(toNotification),

    read: async (rows) => new Map((await findNotifications(db, rows)).map((row) => [ownedKey(row), toNotification(row)])),

    markRead: (userId, upTo) => markRead(db, userId, new Date(upTo), new Date(clock())),

    onNotified(listener) {
      listeners.add(listener);
    },

    onQueued(listener) {
      senders.add(listener);
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
