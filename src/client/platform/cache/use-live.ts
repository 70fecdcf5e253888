import { liveQuery } from 'dexie';
import { useEffect, useState } from 'react';

/**
 * What `query` reads from the device, again whenever that changes, in this tab or another. Undefined until the
 * first answer for `key`; never another key's value. The key must name everything the query depends on.
 */
export function useLive<T>(key: string | null, query: () => Promise<T>): T | undefined {
  const [hit, setHit] = useState<{ key: string; value: T }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the query, which is new at each render
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
