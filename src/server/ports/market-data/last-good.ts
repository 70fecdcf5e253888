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

/** The provider does not know the item: an answer, not a failure. */
export class Unknown extends Error {}

export interface Held<T> {
  readonly value: T;
  /** Whether the last refresh failed. */
  readonly stale: boolean;
}

/** A cached answer. A value stays the same object until it is refreshed or stale, so it can key a cache. */
export interface Cached<Value> {
  /** Older than its lifetime only when it says that it is stale. Rejects only when there was never an answer. */
  get(): Promise<Value>;
  /** Returns what this process has, without a request. */
  last(): Value | undefined;
  /** Returns the answer while it is within its lifetime, without a request to the provider. */
  fresh(): Promise<Value | undefined>;
}

/** An answer that this process caches itself. */
export interface Origin<Value> extends Cached<Value> {
  /** Returns for how long nothing asks the provider again, ms. */
  left(): number;
}

interface Options<T> {
  ask: () => Promise<T>;
  /** Lifetime of an answer from when it was asked for, ms. */
  lifetime: number | ((value: T, asked: number) => number);
  clock: Clock;
  /** Receives every failure and the answer that callers get instead. */
  onFailure: (error: unknown, instead: Held<T> | undefined) => void;
}

/** Caches the last good answer, shares one request between callers, and backs off after failures. */
export function lastGood<T>({ ask, lifetime, clock, onFailure }: Options<T>): Origin<Held<T>> {
  let held: Held<T> | undefined;
  let goodUntil = Number.NEGATIVE_INFINITY;
  let flight: Promise<Held<T>> | undefined;
  let failures = 0;
  let failure: unknown;
  let retryAt = Number.NEGATIVE_INFINITY;

  async function renew(): Promise<Held<T>> {
    // From when it was asked: this process may be suspended before it reads the answer.
    const asked = clock();
    try {
      const value = await ask();
      held = { value, stale: false };
      goodUntil = asked + (typeof lifetime === 'number' ? lifetime : lifetime(value, asked));
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
    fresh: async () => fresh(),
    left: () => Math.max(0, (fresh() ? goodUntil : retryAt) - clock()),
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
