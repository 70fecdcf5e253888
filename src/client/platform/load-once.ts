/**
 * Returns a function that loads code once, and again after a failure. A dynamic import of loaded code waits for a task of
 * its own, behind the work of a tap; the kept promise does not.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
