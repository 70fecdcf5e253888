import { useMemo } from 'react';
import { useLive } from '#client/platform/cache/use-live.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { readWatched, type Watched } from './watched.ts';

/** The hearts of the signed-in user, in every tab as they change. Undefined until the device has been read. */
export function useHearts(): Watched | undefined {
  const db = userDb(useClaims().sub);
  return useLive(`${db.name}/hearts`, () => readWatched(db));
}

/** Ids of the coins with a heart; none until the device has been read. */
export function useWatched(): ReadonlySet<number> {
  const ids = useHearts()?.ids;
  return useMemo(() => new Set(ids), [ids]);
}
