import type { UserDb } from '../db/user-db.ts';
import { currentDb } from '../session/current-db.ts';
import { onSignOut } from '../session/sign-out-in-other-tabs.ts';

/** A query of a page's first render, by the key of its `useUserLive`. */
export interface Ahead {
  key: string;
  query: (db: UserDb) => Promise<unknown>;
}

/** The longest wait before the first render, ms. A stored screen stays as long. */
const LIMIT = 4_000;

const results = new Map<string, unknown>();
/** Counts `dropResults`: a read that began before it may be older than the device. */
let drops = 0;
const name = (userId: string, key: string) => `${userId}/${key}`;

/**
 * Reads what a page shows, so that its first render is complete. Resolves after 4 s at the latest and never rejects: the
 * page then reads by itself.
 */
export async function readAhead(userId: string, queries: readonly Ahead[]): Promise<void> {
  const read = async () => {
    const begun = drops;
    const db = await currentDb(userId);
    const keep = async ({ key, query }: Ahead) => {
      const result = await query(db);
      if (drops === begun) results.set(name(userId, key), result);
    };
    await Promise.all(queries.map(keep));
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LIMIT);
  });
  await Promise.race([read().catch(() => undefined), late]);
  clearTimeout(timer);
}

/** Returns a result in an object, unless there is none. */
export const resultAhead = <T>(userId: string, key: string): { value: T } | undefined =>
  results.has(name(userId, key)) ? { value: results.get(name(userId, key)) as T } : undefined;

/** Forgets the results, because the device may know more. */
export function dropResults(): void {
  drops++;
  results.clear();
}
onSignOut(dropResults);
