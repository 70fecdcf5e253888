import { SECOND } from '#domain/clock.ts';

/** Time after which a receiver that has not answered is slow, ms. */
const SLOW = 2 * SECOND;

export interface Place {
  /** Aborts when the attempt must end. */
  signal: AbortSignal;
  /** The receiver's time begins. */
  waits(): void;
  leave(): void;
}

/**
 * Creates the places of a channel's attempts. Those that wait for a slow receiver get as many places of their own; when these are too few, the
 * oldest attempts are given up.
 */
export function createPlaces(atOnce: number) {
  /** Oldest first. */
  const taken = new Set<{ since: number; ending: AbortController }>();

  return {
    /** Returns how many more attempts may begin. */
    free(): number {
      const slow = [...taken].filter(({ since }) => performance.now() - since >= SLOW);
      for (const { ending } of slow.slice(0, -atOnce)) ending.abort(new Error('too many receivers are slow'));
      return atOnce - taken.size + Math.min(slow.length, atOnce);
    },

    take(): Place {
      const place = { since: Number.POSITIVE_INFINITY, ending: new AbortController() };
      taken.add(place);
      return {
        signal: place.ending.signal,
        waits: () => {
          place.since = performance.now();
        },
        leave: () => void taken.delete(place),
      };
    },

    endAll(reason: Error): void {
      for (const { ending } of taken) ending.abort(reason);
    },
  };
}
