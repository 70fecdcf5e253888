import { type Clock, MINUTE } from '#domain/clock.ts';

const FIRST_RETRY = 5000;
const LAST_RETRY = 5 * MINUTE;

/** A failure that says when to retry. */
export class TryLater extends Error {
  constructor(
    message: string,
    /** ms from now. */
    readonly retryIn: number,
  ) {
    super(message);
  }
}

export interface Held<T> {
  readonly value: T;
  /** Whether the last refresh failed. */
  readonly stale: boolean;
}

/** Caches an external service's answer. `Held` stays the same object until it is refreshed or stale, so it can key a cache. */
export interface LastGood<T> {
  /** Older than its lifetime only when `stale`. Rejects only when there was never an answer. */
  get(): Promise<Held<T>>;
  /** Returns the cached answer without a request. */
  last(): Held<T> | undefined;
  /** Returns the cached answer while it is within its lifetime. */
  fresh(): Held<T> | undefined;
}

interface Options<T> {
  ask: () => Promise<T>;
  /** Lifetime of an answer, ms. */
  lifetime: number;
  clock: Clock;
  /** Receives every failure and the answer that callers get instead. */
  onFailure: (error: unknown, instead: Held<T> | undefined) => void;
}

/** Caches the last good answer, shares one request between callers, and backs off after failures. */
export function lastGood<T>({ ask, lifetime, clock, onFailure }: Options<T>): LastGood<T> {
  let held: Held<T> | undefined;
  let goodUntil = Number.NEGATIVE_INFINITY;
  let flight: Promise<Held<T>> | undefined;
  let failures = 0;
  let failure: unknown;
  let retryAt = Number.NEGATIVE_INFINITY;

  async function renew(): Promise<Held<T>> {
    try {
      const value = await ask();
      held = { value, stale: false };
      goodUntil = clock() + lifetime;
      failures = 0;
      return held;
    } catch (error) {
      failure = error;
      retryAt = clock() + (error instanceof TryLater ? error.retryIn : Math.min(FIRST_RETRY * 2 ** failures, LAST_RETRY));
      failures++;
      onFailure(error, held);
      if (!held) throw error;
      if (!held.stale) held = { value: held.value, stale: true };
      return held;
    } finally {
      flight = undefined;
    }
  }

  const fresh = () => (clock() < goodUntil ? held : undefined);

  return {
    fresh,
    last: () => held,
    async get() {
      const good = fresh();
      if (good) return good;
      if (flight) return flight;
      if (clock() < retryAt) {
        if (held) return held;
        throw failure;
      }
      flight = renew();
      return flight;
    },
  };
}
