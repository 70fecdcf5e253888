import { useEffect } from 'react';
import useSWR, { preload } from 'swr';
import { type UserDb, userDb } from '../db/user-db.ts';
import { useClaims } from '../session/use-session.ts';
import { awaitContent } from './first-content.ts';
import { load, type Resource } from './resource.ts';
import { useLive } from './use-live.ts';

export interface ResourceState<Data> {
  /** From the device; undefined while unknown. */
  data: Data | undefined;
  /** When the answer behind `data` was stored, ms. */
  savedAt: number | undefined;
  /** `network`: the data was fetched since this page opened. */
  origin: 'device' | 'network';
  /** Why the last fetch failed. Show the data first, if there is any. */
  error: unknown;
  /** There is no data yet, and a fetch or read is under way. */
  isLoading: boolean;
  /** A fetch is under way. */
  isValidating: boolean;
  refresh: () => Promise<unknown>;
}

interface ResourceOptions {
  /** Refetches this often, ms, while the page is visible and the server is reachable. 0 turns polling off. */
  refreshInterval?: number;
}

const swrKey = (db: UserDb, name: string) => `${db.name}/${name}`;

/** Fetches a resource for the next page, which reuses the answer. Throws what the fetch throws. */
export async function loadAhead<Params, Wire, Data>(db: UserDb, resource: Resource<Params, Wire, Data>, params: Params): Promise<void> {
  const savedAt = await load(db, resource, params);
  preload(swrKey(db, resource.key(params)), () => savedAt);
}

/** Reads a resource from the device and lets SWR decide when to refetch it. `null` params pause it. */
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
  // After the answer arrives, the live query needs a moment to report it: still loading.
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
