import { type Clock, MINUTE } from '#domain/clock.ts';

const FIRST_RETRY = 5000;
const LAST_RETRY = 5 * MINUTE;

/** A failure that knows how long asking again is useless. */
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
  /** The last attempt to renew it failed. */
  readonly stale: boolean;
}

/** One answer of an outside service. The same `Held` is given out until it is renewed or found stale, so it can key a cache. */
export interface LastGood<T> {
  /** Never older than its lifetime unless it is `stale`; rejects only when there was no answer yet. */
  get(): Promise<Held<T>>;
  /** What is held, without asking anybody. */
  last(): Held<T> | undefined;
  /** What is held and still within its lifetime. */
  fresh(): Held<T> | undefined;
}

interface Options<T> {
  ask: () => Promise<T>;
  /** How long an answer is good, ms. */
  lifetime: number;
  clock: Clock;
  /** Told of every failure, with what is shown instead. */
  onFailure: (error: unknown, instead: Held<T> | undefined) => void;
}

/** Keeps the last good answer, asks for the next in one flight for everybody, and lets a failing service rest. */
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
