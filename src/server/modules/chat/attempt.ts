/**
 * Runs `work` for at most `limit` ms, or until `dropped` is aborted: then it rejects, and so that no work goes on for
 * nothing, aborts the signal it gave.
 */
export async function attempt<T>(limit: number, dropped: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  dropped.throwIfAborted();
  const end = new AbortController();
  const drop = () => end.abort(dropped.reason);
  const timer = setTimeout(() => end.abort(new Error(`No answer within ${limit} ms`)), limit);
  dropped.addEventListener('abort', drop, { once: true });
  const ended = new Promise<never>((_, reject) => {
    end.signal.addEventListener('abort', () => reject(end.signal.reason), { once: true });
  });
  try {
    return await Promise.race([work(end.signal), ended]);
  } finally {
    clearTimeout(timer);
    dropped.removeEventListener('abort', drop);
  }
}
