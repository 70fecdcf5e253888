import { call } from '#client/platform/api/call.ts';
import { ApiError } from '#client/platform/api/errors.ts';
import type { AnswerSchema } from '#client/platform/api/send.ts';
import { sendForm } from '#client/platform/api/send-form.ts';
import { SECOND } from '#domain/clock.ts';

/** Longest wait that the server can ask for, s. */
const MAX_WAIT = 15 * 60;
const TOO_MANY = 429;
const BUSY = 503;

export interface Patience {
  signal: AbortSignal;
  /** Called with the seconds that the server asks to wait, and with undefined afterwards. */
  onWait: (seconds: number | undefined) => void;
}

interface Asked<Data> {
  method?: 'GET' | 'POST' | 'PUT';
  /** Sent as JSON; a form is sent as it is. */
  body?: unknown;
  answer: AnswerSchema<Data>;
}

/**
 * Sends a request that can be repeated, again whenever the server asks to wait up to 15 minutes (429 or 503 with `Retry-After`).
 * Throws as `send`, and the signal's reason once it is aborted.
 */
export async function askPatiently<Data>(
  path: string,
  { method = 'GET', body, answer }: Asked<Data>,
  { signal, onWait }: Patience,
): Promise<Data> {
  for (;;) {
    signal.throwIfAborted();
    let seconds: number;
    try {
      return await unlessAborted(
        body instanceof FormData ? sendForm(path, { form: body, answer }) : call(path, { method, body, answer }),
        signal,
      );
    } catch (error) {
      signal.throwIfAborted();
      const isAsked = error instanceof ApiError && [TOO_MANY, BUSY].includes(error.status) && error.retryAfter <= MAX_WAIT;
      if (!isAsked) throw error;
      seconds = Math.max(1, error.retryAfter);
    }
    onWait(seconds);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const pause = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, seconds * SECOND);
    });
    await unlessAborted(pause, signal).finally(() => clearTimeout(timer));
    onWait(undefined);
  }
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
