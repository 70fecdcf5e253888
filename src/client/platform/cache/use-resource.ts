import { useEffect } from 'react';
import useSWR, { preload } from 'swr';
import { type UserDb, userDb } from '../db/user-db.ts';
import { useClaims } from '../session/use-session.ts';
import { awaitContent } from './first-content.ts';
import { load, type Resource } from './resource.ts';
import { useLive } from './use-live.ts';

export interface ResourceState<Data> {
  /** From the device. Undefined while nothing is known. */
  data: Data | undefined;
  /** When the answer behind `data` was stored, ms. */
  savedAt: number | undefined;
  /** `network`: what is shown came over the network since this page was opened. */
  origin: 'device' | 'network';
  /** Why the last fetch failed. There may be data all the same: show that first. */
  error: unknown;
  /** Nothing to show yet, and something is on its way. */
  isLoading: boolean;
  /** A fetch is under way. */
  isValidating: boolean;
  refresh: () => Promise<unknown>;
}

interface ResourceOptions {
  /** Asks again this often, ms, while the page is visible and the server can be reached. 0: only when there is a reason. */
  refreshInterval?: number;
}

const swrKey = (db: UserDb, name: string) => `${db.name}/${name}`;

/**
 * Fetches and stores what is about to be shown; the page that then reads it takes this answer for its own. Throws what
 * the fetch throws.
 */
export async function loadAhead<Params, Wire, Data>(db: UserDb, resource: Resource<Params, Wire, Data>, params: Params): Promise<void> {
  const savedAt = await load(db, resource, params);
  preload(swrKey(db, resource.key(params)), () => savedAt);
}

/** Reads a resource from the device and lets SWR decide when to ask the server. `null` params: not now. */
export function useResource<Params, Wire, Data>(
  resource: Resource<Params, Wire, Data>,
  params: Params | null,
  { refreshInterval = 0 }: ResourceOptions = {},
): ResourceState<Data> {
  const db = userDb(useClaims().sub);
  const name = params === null ? null : resource.key(params);
  const key = name && swrKey(db, name);

  const stored = useLive(key, async () => {
    if (params === null || name === null) return undefined;
    const stamp = await db.stamps.get(name);
    return { data: await resource.read(db, params, stamp !== undefined), savedAt: stamp?.savedAt };
  });
  const fetched = useSWR(key, () => (params === null ? undefined : load(db, resource, params)), { refreshInterval });

  const data = stored?.data;
  const savedAt = stored?.savedAt;
  // Between the answer's arrival and the device's own report of it there is a moment with neither.
  const isLoading = key !== null && data === undefined && !(stored && fetched.error);
  useEffect(() => (isLoading ? awaitContent() : undefined), [isLoading]);
  return {
    data,
    savedAt,
    origin: savedAt !== undefined && fetched.data !== undefined && savedAt >= fetched.data ? 'network' : 'device',
    error: fetched.error,
    isLoading,
    isValidating: fetched.isValidating,
    refresh: fetched.mutate,
  };
}
