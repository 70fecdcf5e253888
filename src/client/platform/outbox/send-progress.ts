import { createValue } from '../create-value.ts';
import type { UserDb } from '../db/user-db.ts';
import { openChannel } from '../tabs/open-channel.ts';
import { laneLock } from './outbox.ts';

/** The share of a command that has left the device, 0 to 1; null if unknown. */
export type Share = number | null;

interface News {
  id: string;
  /** Undefined: the send has ended. */
  share: Share | undefined;
  /** Name of the lock that the sender holds. */
  lock: string;
}

const sending = createValue<ReadonlyMap<string, Share>>(new Map());

function take({ id, share, lock }: News, isOurs: boolean) {
  // A sender in another tab may be killed before it reports the end: then its lock is free.
  if (!isOurs && share !== undefined && !sending.get().has(id))
    void navigator.locks.request(lock, { mode: 'shared' }, async () => forget(id));
  if (share === undefined) return forget(id);
  sending.set(new Map(sending.get()).set(id, share));
}

function forget(id: string) {
  const next = new Map(sending.get());
  if (next.delete(id)) sending.set(next);
}

const post = openChannel<News>('tidemark/sending', (news) => take(news, false));

/** Reports a command's progress to every tab. The sender, tab or worker, calls it while it holds the lane's lock. */
export function tellSending(db: UserDb, lane: string, id: string, share: Share | undefined): void {
  const news = { id, share, lock: laneLock(db, lane) };
  take(news, true);
  post(news);
}

/** Returns a command's progress; undefined while it is not being sent. */
export const shareSent = (id: string): Share | undefined => sending.get().get(id);

/** Calls `listener` whenever a result of `shareSent` changes. */
export const onSending = sending.subscribe;
