/** Memoizes `make` per object, for the object's lifetime. */
export function memo<From extends object, To>(make: (from: From) => To): (from: From) => To {
  const made = new WeakMap<From, To>();
  return (from) => {
    const ready = made.get(from) ?? make(from);
    made.set(from, ready);
    return ready;
  };
}
