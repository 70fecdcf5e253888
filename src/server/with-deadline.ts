/** Work took longer than its limit. */
export class DeadlineExceeded extends Error {}

/** Runs `work` with a signal that aborts after `limit` ms, with `DeadlineExceeded`, or when `dropped` aborts. Rejects at that moment. */
export async function withDeadline<T>(
  limit: number,
  dropped: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  dropped?.throwIfAborted();
  const end = new AbortController();
  const drop = () => end.abort(dropped?.reason);
  const timer = setTimeout(() => end.abort(new DeadlineExceeded(`No answer within ${limit} ms`)), limit);
  dropped?.addEventListener('abort', drop, { once: true });
  const ended = new Promise<never>((_, reject) => {
    end.signal.addEventListener('abort', () => reject(end.signal.reason), { once: true });
  });
  try {
    return await Promise.race([work(end.signal), ended]);
  } finally {
    clearTimeout(timer);
    dropped?.removeEventListener('abort', drop);
  }
}
