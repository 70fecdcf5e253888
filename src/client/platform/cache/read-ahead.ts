import type { UserDb } from '../db/user-db.ts';
import { currentDb } from '../session/current-db.ts';
import { onForget } from './memory.ts';

/** A query of a page's first render, by the key of its `useUserLive`. */
export interface Ahead {
  key: string;
  query: (db: UserDb) => Promise<unknown>;
  /** Does a part of that render's work with the result. */
  prepare?(result: unknown): void;
}

/** The longest wait before the first render, ms. A stored screen stays as long. */
const LIMIT = 4_000;

interface Result {
  value: unknown;
}

const results = new Map<string, Result>();
/** The reads behind `results`. One that is not in here is outdated: the device may know more than it found. */
const reads = new Map<string, Promise<Result | undefined>>();
const name = (userId: string, key: string) => `${userId}/${key}`;

/**
 * Reads what a page shows, so that its first render is complete. Resolves after 4 s at the latest and never rejects: the
 * page then reads by itself.
 */
export async function readAhead(userId: string, queries: readonly Ahead[]): Promise<void> {
  const read = ({ key, query, prepare }: Ahead) => {
    const place = name(userId, key);
    const reading: Promise<Result | undefined> = currentDb(userId)
      .then(query)
      .then((value) => {
        if (reads.get(place) !== reading) return undefined;
        prepare?.(value);
        const result = { value };
        results.set(place, result);
        return result;
      })
      .catch(() => undefined);
    reads.set(place, reading);
    return reading;
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LIMIT);
  });
  await Promise.race([Promise.all(queries.map(read)), late]);
  clearTimeout(timer);
}

/** Returns a result in an object, unless there is none. */
export const resultAhead = <T>(userId: string, key: string) => results.get(name(userId, key)) as { value: T } | undefined;

/** Resolves like `resultAhead` after the read under way; undefined without one. */
export const readingAhead = <T>(userId: string, key: string) =>
  reads.get(name(userId, key)) as Promise<{ value: T } | undefined> | undefined;

/** Forgets the results, because the device may know more. */
export function dropResults(): void {
  reads.clear();
  results.clear();
}
onForget(dropResults);
