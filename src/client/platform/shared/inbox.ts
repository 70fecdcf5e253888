import { SHARE_LIFE_MS } from '#contract/share.ts';
import { openExisting } from '../db/open-existing.ts';

/** What another app shared. It waits on the device until a signed-in user's new chat has it. */
export interface Share {
  id: string;
  /** ms. */
  receivedAt: number;
  text: string;
  picture?: ArrayBuffer;
  /** It took the place of one that no chat had taken: the user is told. */
  replaces?: boolean;
}

// Without Dexie, because the worker writes it. It is no user's: the worker does not know who is signed in.
const NAME = 'tidemark-shared';
const STORE = 'shares';
/** A newer share replaces an older one, so that other sites cannot fill the device. */
const KEY = 'latest';

/** Stores a share in place of the one before. Rejects if the device has no space. */
export async function putShare(share: Share): Promise<void> {
  const db = await openInbox();
  try {
    await done(db, 'readwrite', (store) => {
      const request: IDBRequest<Share | undefined> = store.get(KEY);
      request.onsuccess = () => {
        const replaces = request.result !== undefined && isFresh(request.result, share.receivedAt);
        store.put(replaces ? { ...share, replaces } : share, KEY);
      };
      return request;
    });
  } finally {
    db.close();
  }
}

/** Returns the waiting share. Deletes one that has waited too long, or that a clock set back would keep. */
export async function readShare(now: number): Promise<Share | undefined> {
  const share = await inExisting('readonly', (store): IDBRequest<Share | undefined> => store.get(KEY));
  if (!share) return undefined;
  if (isFresh(share, now)) return share;
  await deleteShare(share.id);
  return undefined;
}

const isFresh = ({ receivedAt }: Share, now: number): boolean => Math.abs(now - receivedAt) < SHARE_LIFE_MS;

/** Deletes the waiting share. With an id, only that one: a newer one may have come meanwhile. */
export async function deleteShare(id?: string): Promise<void> {
  await inExisting('readwrite', (store) => {
    const request: IDBRequest<Share | undefined> = store.get(KEY);
    request.onsuccess = () => {
      if (id === undefined || request.result?.id === id) store.delete(KEY);
    };
    return request;
  });
}

async function inExisting<Result>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result | undefined> {
  const db = await openExisting(NAME);
  if (!db) return undefined;
  try {
    return await done(db, mode, ask);
  } finally {
    db.close();
  }
}

function openInbox(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
}

const done = <Result>(db: IDBDatabase, mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    const transaction = db.transaction(STORE, mode);
    const request = ask(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
