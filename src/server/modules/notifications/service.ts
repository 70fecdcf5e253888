import { randomUUID } from 'node:crypto';
import type { Notification } from '#contract/notification.ts';
import type { Clock } from '#domain/clock.ts';
import { keepNewest } from '#server/db/keep-newest.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { type OwnedId, ownedKey } from '#server/db/owned-rows.ts';
import { notifications as table } from '#server/db/schema/notifications.ts';
import type { CountClock } from '#server/db/windows.ts';
import { enqueue } from './deliveries/enqueue.ts';
import { findNewest, findNotifications, insertNotifications, markRead, type NotificationRow } from './store.ts';

/** Notifications stored per user. */
const MAX_STORED = 200;
/** Notices that one statement stores. */
const PORTION = 100;

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

/** Does for many notices, in a few statements, what `Notify` does for one. Each user's come in this order. */
export type NotifyAll = (tx: Tx, notices: readonly (Notice & { userId: string })[]) => Promise<() => void>;

export interface Notifications {
  notify: Notify;
  notifyAll: NotifyAll;
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

  const notifyAll: NotifyAll = async (tx, notices) => {
    const rows = rowsOf(notices, clock());
    const urgent = new Set(rows.flatMap(({ id }, index) => (notices[index]?.urgent ? id : [])));
    let queued = 0;
    for (let from = 0; from < rows.length; from += PORTION) {
      const portion = rows.slice(from, from + PORTION);
      await insertNotifications(tx, portion);
      const owners = portion.map(({ userId }) => userId);
      await keepNewest(tx, table, owners, MAX_STORED);
      queued += await enqueue(tx, countClock, portion, urgent);
    }
    return () => {
      for (const row of rows) for (const listener of listeners) listener(row.userId, toNotification(row));
      if (queued > 0) for (const send of senders) send();
    };
  };

  return {
    notify: (tx, userId, what) => notifyAll(tx, [{ ...what, userId }]),
    notifyAll,

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

/** Dates one millisecond apart keep the order of a user's notices. */
function rowsOf(notices: Parameters<NotifyAll>[1], now: number): NotificationRow[] {
  const counts = new Map<string, number>();
  return notices.map(({ userId, kind, text, link = null }) => {
    const place = counts.get(userId) ?? 0;
    counts.set(userId, place + 1);
    return { id: randomUUID(), userId, kind, text, link, readAt: null, createdAt: new Date(now + place) };
  });
}

const toNotification = (row: NotificationRow): Notification => ({
  id: row.id,
  created_at: row.createdAt.toISOString(),
  notification_text: row.text,
  kind: row.kind,
  link: row.link,
  read: row.readAt !== null,
});
