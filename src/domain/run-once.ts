export interface RunOnce<T> {
  (): Promise<T>;
  /** Returns the promise of the run that is underway or has succeeded, if there is one. */
  peek(): Promise<T> | undefined;
}

/** Returns a function that runs `run` once and keeps its promise. After a failure, the next call runs it again. */
export function runOnce<T>(run: () => Promise<T>): RunOnce<T> {
  let kept: Promise<T> | undefined;
  const get = () => {
    kept ??= run().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
  return Object.assign(get, { peek: () => kept });
}
