import { type Clock, HOUR } from '#domain/clock.ts';
import { createRecentMap } from '#server/recent-map.ts';

/** Cached unknown ids; those not used for longest are evicted. */
const MAX_UNKNOWN = 10_000;

export interface UnknownIds {
  has(id: number): boolean;
  /** Caches for an hour that the provider does not know an id. */
  add(id: number): void;
}

export function createUnknownIds(clock: Clock): UnknownIds {
  const until = createRecentMap<number, number>(MAX_UNKNOWN);

  return {
    has(id) {
      if (clock() < (until.get(id) ?? 0)) return true;
      until.delete(id);
      return false;
    },
    add: (id) => until.set(id, clock() + HOUR),
  };
}
