import type * as z from 'zod/mini';
import { asUser } from '#client/platform/api/call.ts';
import { ApiError } from '#client/platform/api/errors.ts';
import { request } from '#client/platform/api/request.ts';
import { exchange, parseAnswer, refusalOf } from '#client/platform/api/send.ts';
import { requestForm } from '#client/platform/api/send-form.ts';
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

interface Asked<Schema extends z.ZodMiniType> {
  method?: 'GET' | 'POST' | 'PUT';
  /** Sent as JSON; a form is sent as it is. */
  body?: unknown;
  answer: Schema;
}

/**
 * Sends a request that can be repeated, again whenever the server asks to wait up to 15 minutes (429 or 503 with `Retry-After`).
 * Throws as `send`, and the signal's reason once it is aborted.
 */
export async function askPatiently<Schema extends z.ZodMiniType>(
  path: string,
  { method = 'GET', body, answer }: Asked<Schema>,
  { signal, onWait }: Patience,
): Promise<z.infer<Schema>> {
  for (;;) {
    signal.throwIfAborted();
    let wait = Number.NaN;
    const send = (token: string | undefined) =>
      body instanceof FormData
        ? requestForm(path, body, token)
        : request(method, path, body === undefined ? undefined : JSON.stringify(body), token);
    const once = asUser(async (token) => {
      const { status, ok, json } = await exchange(
        send(token).then((response) => {
          wait = Number(response.headers.get('Retry-After') ?? Number.NaN);
          return response;
        }),
      );
      if (!ok) throw await refusalOf(status, json);
      return parseAnswer(answer, status, json);
    });
    try {
      return await unlessAborted(once, signal);
    } catch (error) {
      signal.throwIfAborted();
      const isAsked = error instanceof ApiError && [TOO_MANY, BUSY].includes(error.status) && wait <= MAX_WAIT;
      if (!isAsked) throw error;
    }
    const seconds = Math.max(1, wait);
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
