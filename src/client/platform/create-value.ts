export interface Value<T> {
  get: () => T;
  /** Stores `next` and calls the listeners, unless the value stays the same. */
  set: (next: T) => void;
  /** Calls `listener` after each change; returns a function that stops it. */
  subscribe: (listener: () => void) => () => void;
}

/** Creates a value outside of React that other code can watch. Components read it with `useValue`. */
export function createValue<T>(initial: T): Value<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
