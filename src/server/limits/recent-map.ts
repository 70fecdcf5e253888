/**
 * A map that keeps the entries in use: at least `max` / 2, and at most `max`. Two generations instead of an exact order, because deleting
 * the first key of a large Map costs as much as skipping all that were deleted before.
 */
export function createRecentMap<Key, Value>(max: number) {
  let recent = new Map<Key, Value>();
  let older = new Map<Key, Value>();

  function set(key: Key, value: Value): void {
    if (recent.size >= max / 2 && !recent.has(key)) [older, recent] = [recent, new Map()];
    recent.set(key, value);
  }

  return {
    set,
    /** Returns a value and keeps it. */
    get(key: Key): Value | undefined {
      const found = recent.get(key);
      if (found !== undefined) return found;
      const old = older.get(key);
      if (old !== undefined) set(key, old);
      return old;
    },
  };
}
