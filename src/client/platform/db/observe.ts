import { liveQuery } from 'dexie';

/** Calls `next` with the result of a Dexie query, and again after each change in this tab or another. Returns a function that stops it. */
export function observe<T>(query: () => Promise<T>, next: (value: T) => void, failed: (error: unknown) => void): () => void {
  const subscription = liveQuery(query).subscribe({ next, error: failed });
  return () => subscription.unsubscribe();
}
