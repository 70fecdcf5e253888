import { createRecentMap } from '#server/recent-map.ts';
import type { Cached, Held, Origin } from '../last-good.ts';
import type { MarketData } from '../market-data.ts';

/** A kind of answer, such as a list or the figures of a coin. */
export interface Kind<Value> {
  /** Creates the cache that asks the provider for an id. */
  origin: (id: string) => Origin<Value>;
  /** Marks a value as stale. */
  aged: (value: Value) => Value;
  /** Ids in memory; those not used for longest are evicted. */
  max: number;
  /** Whether a process that is alone keeps good values in its database, because asking for all again takes minutes. */
  isKept?: boolean;
}

/** Keeps a provider's answers. Values are JSON. */
export interface Answers {
  /** Adds a kind. Returns a function that returns the answer of an id. */
  kind<Value extends object>(name: string, kind: Kind<Value>): (id: string) => Cached<Value>;
  /** Set if other processes have the same answers. */
  share?: MarketData['share'] & {};
}

/** Keeps the answers of a process that is alone. */
export const ownAnswers = (): Answers => ({ kind: (_, { origin, max }) => createNewest(origin, max) });

/** Returns a function that creates an entry of an id once, and keeps those in use, `max` at most. */
export function createNewest<Entry>(create: (id: string) => Entry, max: number): (id: string) => Entry {
  const kept = createRecentMap<string, Entry>(max);
  return (id) => {
    const entry = kept.get(id) ?? create(id);
    kept.set(id, entry);
    return entry;
  };
}

export const aged = <T>({ value }: Held<T>): Held<T> => ({ value, stale: true });
