let awaited = 0;
const waiting = new Set<() => void>();

/** Says that something on the screen has nothing to show yet. Call what it returns, once, when it has. */
export function awaitContent(): () => void {
  awaited++;
  return () => {
    awaited--;
    // What replaces it on the screen may be waiting for content of its own, and says so in the same turn.
    setTimeout(() => {
      if (awaited === 0) for (const resolve of [...waiting]) resolve();
    });
  };
}

/** Resolves once everything on the screen has content, and in any case after `limit` ms. */
export function contentShown(limit: number): Promise<void> {
  if (awaited === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      waiting.delete(done);
      resolve();
    };
    const timer = setTimeout(done, limit);
    waiting.add(done);
  });
}
