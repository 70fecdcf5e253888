export interface RecentMap<Key, Value> {
  set(key: Key, value: Value): void;
  /** Returns a value and keeps it. */
  get(key: Key): Value | undefined;
  delete(key: Key): void;
  /** Returns all entries, and keeps none of them. */
  entries(): [Key, Value][];
  /** Forgets the entries that were neither set nor read since the last call. */
  forgetUnused(): void;
}

/**
 * A map that keeps the entries in use: at least `max` / 2, and at most `max`. Two generations instead of an exact order, because deleting
 * the first key of a large Map costs as much as skipping all that were deleted before.
 */
export function createRecentMap<Key, Value>(max: number): RecentMap<Key, Value> {
  let recent = new Map<Key, Value>();
  let older = new Map<Key, Value>();

  const forgetUnused = () => {
    [older, recent] = [recent, new Map()];
  };

  function set(key: Key, value: Value): void {
    if (recent.size >= max / 2 && !recent.has(key)) forgetUnused();
    older.delete(key);
    recent.set(key, value);
  }

  return {
    set,
    get(key) {
      const found = recent.get(key);
      if (found !== undefined) return found;
      const old = older.get(key);
      if (old !== undefined) set(key, old);
      return old;
    },
    delete(key) {
      recent.delete(key);
      older.delete(key);
    },
    entries: () => [...older, ...recent],
    forgetUnused,
  };
}
