let awaited = 0;
const waiting = new Set<() => void>();

/** Marks a region of the screen as loading. Call the returned function once, when the region has content. */
export function awaitContent(): () => void {
  awaited++;
  return () => {
    awaited--;
    // The component that replaces this one may call awaitContent in the same turn.
    setTimeout(() => {
      if (awaited === 0) for (const resolve of [...waiting]) resolve();
    });
  };
}

/** Resolves when every region has content, at the latest after `limit` ms. */
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
