import { clearImmediate, setImmediate } from 'node:timers';

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
  const exceed = () => end.abort(new DeadlineExceeded(`No answer within ${limit} ms`));
  // Timers run before answers are read: after a pause of the process, one that has arrived still counts.
  let reading: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    reading = setImmediate(exceed);
  }, limit);
  dropped?.addEventListener('abort', drop, { once: true });
  const ended = new Promise<never>((_, reject) => {
    end.signal.addEventListener('abort', () => reject(end.signal.reason), { once: true });
  });
  try {
    return await Promise.race([work(end.signal), ended]);
  } finally {
    clearTimeout(timer);
    clearImmediate(reading);
    dropped?.removeEventListener('abort', drop);
  }
}
