import { useEffect, useState } from 'react';
import type { UserDb } from '../db/user-db.ts';
import { currentDb } from '../session/current-db.ts';
import { useClaims } from '../session/use-session.ts';
import { resultAhead } from './read-ahead.ts';

type Query<T> = () => Promise<T>;

/** `prepare` returns the query once the code for it is loaded. `ahead`: the result, if it is known on the first render. */
function useQuery<T>(key: string | null, prepare: () => Promise<Query<T>>, ahead?: () => { value: T } | undefined): T | undefined {
  const [hit, setHit] = useState(() => {
    const known = ahead?.();
    return key !== null && known ? { key, ...known } : undefined;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the query, which is a new function on each render
  useEffect(() => {
    if (key === null) return;
    let stop = () => {};
    let isOver = false;
    const failed = (error: unknown) => {
      if (!isOver) console.error('reading the device failed', error);
    };
    const start = async () => {
      const query = await prepare();
      const { observe } = await import('../db/observe.ts');
      if (!isOver) stop = observe(query, (value) => setHit({ key, value }), failed);
    };
    start().catch(failed);
    return () => {
      isOver = true;
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

/** The same for a query of the signed-in user's database, without Dexie in the code that calls it. */
export function useUserLive<T>(key: string | null, query: (db: UserDb) => Promise<T>): T | undefined {
  const userId = useClaims().sub;
  const prepare = async () => {
    const db = await currentDb(userId);
    return () => query(db);
  };
  return useQuery(key && `${userId}/${key}`, prepare, () => (key === null ? undefined : resultAhead<T>(userId, key)));
}
