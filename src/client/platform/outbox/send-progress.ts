import { createValue } from '../create-value.ts';
import type { UserDb } from '../db/user-db.ts';
import { laneLock } from './outbox.ts';

/** How much of a command has left the device, 0 to 1; null where that cannot be told. */
export type Share = number | null;

interface News {
  id: string;
  /** Undefined: it is not on its way any more. */
  share: Share | undefined;
  /** The lock that its sender holds. */
  lock: string;
}

const sending = createValue<ReadonlyMap<string, Share>>(new Map());
const others = new BroadcastChannel('tidemark/sending');

function take({ id, share, lock }: News, isOurs: boolean) {
  // Who sends elsewhere may be killed before it says that it ended: then its lock is free.
  if (!isOurs && share !== undefined && !sending.get().has(id))
    void navigator.locks.request(lock, { mode: 'shared' }, async () => forget(id));
  if (share === undefined) return forget(id);
  sending.set(new Map(sending.get()).set(id, share));
}

function forget(id: string) {
  const next = new Map(sending.get());
  if (next.delete(id)) sending.set(next);
}

others.onmessage = ({ data }: MessageEvent<News>) => take(data, false);

/** Tells every tab how far a command is. Called by whoever sends it, tab or worker, while holding its lane. */
export function tellSending(db: UserDb, lane: string, id: string, share: Share | undefined): void {
  const news = { id, share, lock: laneLock(db, lane) };
  take(news, true);
  others.postMessage(news);
}

/** How far a command is; undefined while nobody sends it. */
export const shareSent = (id: string): Share | undefined => sending.get().get(id);

/** Called whenever an answer of `shareSent` changes. */
export const onSending = sending.subscribe;
