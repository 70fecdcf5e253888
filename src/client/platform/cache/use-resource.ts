import { useEffect, useMemo, useRef } from 'react';
import useSWR, { preload, type SWRResponse, useSWRConfig } from 'swr';
import { afterFrame } from '../after-frame.ts';
import { userDbName } from '../db/db-names.ts';
import type { UserDb } from '../db/user-db.ts';
import { currentDb, releaseDb, SignedOutError } from '../session/current-db.ts';
import { currentUserId } from '../session/session.ts';
import { useClaims } from '../session/use-session.ts';
import { awaitContent } from './first-content.ts';
import { recall, remember } from './memory.ts';
import { type Ahead, type AnswerAhead, answerAhead, takeAhead } from './read-ahead.ts';
import { isOvertaken, load, nextRequest, placeOf, type Resource, store } from './resource.ts';
import { useUserLive } from './use-live.ts';

export type Origin = 'device' | 'network' | 'memory';

/** An answer since the page opened. */
interface Answered<Data> extends AnswerAhead {
  /** When it came, or was stored, ms. */
  at: number;
  /** What it shows until it is stored. */
  data?: Data | undefined;
  isStored?: boolean;
}

export interface ResourceState<Data> {
  /** Undefined while unknown. */
  data: Data | undefined;
  /** When the answer behind `data` was stored, ms; of an answer in memory, when it came. */
  savedAt: number | undefined;
  /** `network`: the data was fetched since this page opened. `memory`: it was, and the device has not stored it. */
  origin: Origin;
  /** `data` is the beginning alone: the rest is under way, or has failed. */
  isPart: boolean;
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

/** Fetches a resource for the next page, which reuses the answer. Throws what the fetch throws. */
export async function loadAhead<Params, Wire, Data>(db: UserDb, resource: Resource<Params, Wire, Data>, params: Params): Promise<void> {
  const savedAt = await load(db, resource, params);
  preload(placeOf(db.name, resource.key(params)), () => ({ at: savedAt }));
}

/** Fetches a resource, unless `given` is its answer. Stores the answer first only if it cannot be shown before. */
async function answerOf<Params, Wire, Data>(
  userId: string,
  resource: Resource<Params, Wire, Data>,
  params: Params,
  given?: Wire,
): Promise<Answered<Data>> {
  const request = nextRequest();
  const wire =
    given ??
    (await resource.fetch(params).catch((error) => {
      releaseDb(); // nothing comes from the network: show what the device has, or the error
      throw error;
    }));
  if (!resource.show) {
    releaseDb();
    return { at: await store(await currentDb(userId), resource, params, wire, request) };
  }
  // Another user has signed in, so this may be theirs, or what the device has is newer: nothing to show.
  if (currentUserId() !== userId || isOvertaken(placeOf(userDbName(userId), resource.key(params)), request)) return { at: 0 };
  const at = Date.now();
  const answered: Answered<Data> = { at, data: resource.show(wire, params, at), isStored: false };
  const keep = async () => {
    await store(await currentDb(userId), resource, params, wire, request);
    answered.isStored = true;
  };
  keep().catch((error) => {
    if (!(error instanceof SignedOutError)) console.error('an answer could not be stored', resource.key(params), error);
  });
  return answered;
}

async function readStored<Params, Wire, Data>(db: UserDb, resource: Resource<Params, Wire, Data>, params: Params): Promise<Read<Data>> {
  const stamp = await db.stamps.get(resource.key(params));
  return { data: await resource.read(db, params, stamp !== undefined), savedAt: stamp?.savedAt };
}

/** Returns the query of `useResource` and its request, for the first render of a page. */
export const resourceAhead = <Params, Wire, Data>(resource: Resource<Params, Wire, Data>, params: Params): Ahead => ({
  key: resource.key(params),
  query: (db) => readStored(db, resource, params),
  askedAt: resource.first?.path,
  async ask(userId): Promise<Answered<Data>> {
    const part = resource.first?.part(params);
    return part ? { ...(await answerOf(userId, resource, part)), isPart: true } : answerOf(userId, resource, params);
  },
});

/** Returns the latest answer while the device has nothing as new. */
function useUnstored<Data>(answered: Answered<Data> | undefined, savedAt: number | undefined) {
  const shown = useRef<Answered<Data>>(undefined);
  // The device may know more than an answer that an earlier screen stored.
  const isOurs = answered && (!answered.isStored || shown.current === answered);
  const unstored = isOurs && answered.data !== undefined && !(savedAt !== undefined && savedAt >= answered.at) ? answered : undefined;
  useEffect(() => {
    if (unstored) shown.current = unstored;
    else if (answered && shown.current === answered) delete answered.data;
  });
  return unstored;
}

/** Asks for the rest of a part that came after the first render. Behind one that came before, SWR asks by itself. */
function useRest(answered: Answered<unknown> | undefined, ask: () => Promise<unknown>): void {
  useEffect(() => {
    // The resource's own state reports the error.
    if (answered?.isPart) void ask().catch(() => undefined);
  }, [answered, ask]);
}

/** Refetches an answer that the device had and another page deleted, because SWR still counts it as fresh. */
function useRefetchLost(isRead: boolean, data: unknown, { data: answered, error, isValidating, mutate }: SWRResponse): void {
  // The answer that the device is known to have had: that of an earlier page, or the one shown.
  const held = useRef(answered);
  useEffect(() => {
    if (data !== undefined) held.current = answered;
    else if (isRead && answered && held.current === answered && !isValidating && !error) void mutate();
  });
}

export interface Read<Data> {
  data: Data | undefined;
  savedAt: number | undefined;
}

/** What a page shows if the device cannot be read: the answer, or the error with "Try again". */
const UNREAD = { data: undefined, savedAt: undefined };

/** Returns what memory has until the device is read. */
function known<Params, Wire, Data>(userId: string, resource: Resource<Params, Wire, Data>, params: Params, key: string) {
  const last = recall<Read<Data>>(key);
  if (last) return last;
  const data = resource.peek?.(userId, params);
  return data === undefined ? undefined : { data, savedAt: undefined };
}

/** Reads a resource from the device and lets SWR decide when to refetch it. `null` params pause it. */
export function useResource<Params, Wire, Data>(
  resource: Resource<Params, Wire, Data>,
  params: Params | null,
  { refreshInterval = 0 }: ResourceOptions = {},
): ResourceState<Data> {
  const userId = useClaims().sub;
  const name = params === null ? null : resource.key(params);
  const key = name && placeOf(userDbName(userId), name);

  const read = useUserLive(name, async (db) => (params === null ? undefined : readStored(db, resource, params)), UNREAD);
  useEffect(() => {
    if (key && read && read !== UNREAD && resource.isRemembered) remember(key, read);
  }, [key, read, resource]);
  const stored = read ?? (params !== null && key !== null ? known(userId, resource, params, key) : undefined);
  const ask = async () => {
    if (params === null || name === null) return;
    const ahead = takeAhead<Answered<Data>>(userId, name);
    if (ahead) return ahead;
    // The frame with what the device has goes first: a request takes a slow phone as long as a part of the screen.
    if (stored?.data !== undefined) await new Promise<void>(afterFrame);
    return answerOf(userId, resource, params);
  };
  // Kept, because the start drops it: the rest may never come.
  const ahead = useMemo(() => (name === null ? undefined : answerAhead<Answered<Data>>(userId, name)), [userId, name]);
  const fetched = useSWR(key, ask, { refreshInterval, fallbackData: ahead });
  useRest(fetched.data === ahead ? undefined : fetched.data, fetched.mutate);
  const unstored = useUnstored(fetched.data, stored?.savedAt);

  const data = unstored ? unstored.data : stored?.data;
  const savedAt = unstored ? unstored.at : stored?.savedAt;
  useRefetchLost(read !== undefined, data, fetched);
  // After the answer arrives, the live query needs a moment to report it: still loading.
  const isLoading = key !== null && data === undefined && !(stored && fetched.error);
  useEffect(() => (isLoading ? awaitContent() : undefined), [isLoading]);
  return {
    data,
    savedAt,
    origin: unstored ? 'memory' : savedAt !== undefined && fetched.data && savedAt >= fetched.data.at ? 'network' : 'device',
    isPart: unstored?.isPart === true,
    error: fetched.error,
    isLoading,
    isValidating: fetched.isValidating,
    refresh: fetched.mutate,
  };
}

/** Returns a function that gives the next screen of a resource an answer: the whole, or `part` of it. */
export function useShowNext<Params, Wire, Data>(resource: Resource<Params, Wire, Data>) {
  const userId = useClaims().sub;
  const { mutate } = useSWRConfig();
  return async (params: Params, wire: Wire, part?: Params): Promise<void> => {
    const answered = await answerOf(userId, resource, part ?? params, wire);
    await mutate(placeOf(userDbName(userId), resource.key(params)), part ? { ...answered, isPart: true } : answered, { revalidate: false });
  };
}
