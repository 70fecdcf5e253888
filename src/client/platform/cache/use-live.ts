import { liveQuery } from 'dexie';
import { useEffect, useState } from 'react';

/**
 * Returns the result of a Dexie query, and again after each change in this tab or another. Undefined until the first
 * result for `key`, which must name everything the query depends on.
 */
export function useLive<T>(key: string | null, query: () => Promise<T>): T | undefined {
  const [hit, setHit] = useState<{ key: string; value: T }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the query, which is a new function on each render
  useEffect(() => {
    if (key === null) return;
    const subscription = liveQuery(query).subscribe({
      next: (value) => setHit({ key, value }),
      error: (error) => console.error('reading the device failed', error),
    });
    return () => subscription.unsubscribe();
  }, [key]);
  return hit && hit.key === key ? hit.value : undefined;
}
