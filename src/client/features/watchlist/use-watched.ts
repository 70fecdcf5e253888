import { useMemo } from 'react';
import type { Ahead } from '#client/platform/cache/read-ahead.ts';
import { useUserLive } from '#client/platform/cache/use-live.ts';
import { readWatched, type Watched } from './watched.ts';

/** The query of `useHearts`, for the first render of a page. */
export const heartsAhead: Ahead = { key: 'hearts', query: readWatched };

/** Returns the signed-in user's watchlist, live in every tab. Undefined until the device is read. */
export function useHearts(): Watched | undefined {
  return useUserLive(heartsAhead.key, readWatched);
}

/** Returns the ids of watched coins; none until the device is read. */
export function useWatched(): ReadonlySet<number> {
  const ids = useHearts()?.ids;
  return useMemo(() => new Set(ids), [ids]);
}
