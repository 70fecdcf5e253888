import { useEffect, useState } from 'react';
import { runOnce } from '#domain/run-once.ts';
import type { UserDb } from '../db/user-db.ts';
import { currentDb } from '../session/current-db.ts';
import { useClaims } from '../session/use-session.ts';
import { readingAhead, resultAhead } from './read-ahead.ts';

type Query<T> = () => Promise<T>;

/** Delay before the database code is loaded again after a failure, ms. */
const RETRY_MS = 5_000;

/** A dynamic import of loaded code waits for a task of its own, behind the work of a tap; the kept promise does not. */
const loadObserve = runOnce(() => import('../db/observe.ts'));

interface Known<T> {
  /** Returns the result, if it is known on the first render. */
  ahead?: () => { value: T } | undefined;
  /** Resolves with the result of a read that began before, if that is still true. */
  reading?: () => Promise<{ value: T } | undefined> | undefined;
  /** The result while the device cannot be read. */
  unread?: T | undefined;
}

/** `prepare` returns the query once the code for it is loaded. */
function useQuery<T>(key: string | null, prepare: () => Promise<Query<T>>, { ahead, reading, unread }: Known<T> = {}): T | undefined {
  const [hit, setHit] = useState(() => {
    const known = ahead?.();
    return key !== null && known ? { key, ...known } : undefined;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the query, which is a new function on each render
  useEffect(() => {
    if (key === null) return;
    let stop = () => {};
    let isOver = false;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const failed = (error: unknown) => {
      if (isOver) return;
      console.error('reading the device failed', error);
      if (unread !== undefined) setHit((last) => (last?.key === key ? last : { key, value: unread }));
    };
    const start = async () => {
      const query = await prepare();
      const { observe } = await loadObserve();
      const read = await reading?.();
      if (isOver) return;
      if (read) setHit((last) => (last?.key === key ? last : { key, ...read }));
      stop = observe(query, (value) => setHit({ key, value }), failed);
    };
    const attempt = () =>
      start().catch((error) => {
        failed(error);
        if (!isOver) retry = setTimeout(attempt, RETRY_MS);
      });
    void attempt();
    return () => {
      isOver = true;
      clearTimeout(retry);
      stop();
    };
  }, [key]);
  return hit && hit.key === key ? hit.value : undefined;
}

/**
 * Returns the result of a Dexie query, and again after each change in this tab or another. Undefined until the first
 * result for `key`, which must name everything the query depends on.
 */
export const useLive = <T>(key: string | null, query: Query<T>): T | undefined => useQuery(key, async () => query);

/**
 * The same for a query of the signed-in user's database, without Dexie in the code that calls it. `unread` is the result
 * while the device cannot be read.
 */
export function useUserLive<T>(key: string | null, query: (db: UserDb) => Promise<T>, unread?: T): T | undefined {
  const userId = useClaims().sub;
  const prepare = async () => {
    const db = await currentDb(userId);
    return () => query(db);
  };
  return useQuery(key && `${userId}/${key}`, prepare, {
    ahead: () => (key === null ? undefined : resultAhead<T>(userId, key)),
    reading: () => (key === null ? undefined : readingAhead<T>(userId, key)),
    unread,
  });
}
