import { useMemo } from 'react';
import { useLive } from '#client/platform/cache/use-live.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { readWatched, type Watched } from './watched.ts';

/** Returns the signed-in user's watchlist, live in every tab. Undefined until the device is read. */
export function useHearts(): Watched | undefined {
  const db = userDb(useClaims().sub);
  return useLive(`${db.name}/hearts`, () => readWatched(db));
}

/** Returns the ids of watched coins; none until the device is read. */
export function useWatched(): ReadonlySet<number> {
  const ids = useHearts()?.ids;
  return useMemo(() => new Set(ids), [ids]);
}
