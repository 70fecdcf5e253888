import { type Clock, HOUR } from '#domain/clock.ts';
import { putNewest } from '#server/put-newest.ts';

/** Cached unknown ids; the oldest is evicted first. */
const MAX_UNKNOWN = 10_000;

export interface UnknownIds {
  has(id: number): boolean;
  /** Caches for an hour that the provider does not know an id. */
  add(id: number): void;
}

export function createUnknownIds(clock: Clock): UnknownIds {
  const until = new Map<number, number>();

  return {
    has(id) {
      if (clock() < (until.get(id) ?? 0)) return true;
      until.delete(id);
      return false;
    },
    add: (id) => putNewest(until, id, clock() + HOUR, MAX_UNKNOWN),
  };
}
