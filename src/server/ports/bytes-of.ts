/**
 * Yields the bytes of an answer, and ends its request when `signal` aborts. `fetch` forgets its signal once the garbage collector
 * has taken its request (Node 20), and would wait for ever for an answer that never ends.
 */
export async function* bytesOf({ body }: Pick<Response, 'body'>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
  const end = () => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', end, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      if (done) break;
      yield value;
    }
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}
