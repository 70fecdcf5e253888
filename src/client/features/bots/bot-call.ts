import { asUser } from '#client/platform/api/call.ts';
import { ApiError, errorMessage, NetworkError } from '#client/platform/api/errors.ts';
import { type AnswerSchema, exchange, parseAnswer, refusalOf } from '#client/platform/api/send.ts';
import { BOT_API_URL } from '#client/platform/settings.ts';
import { BOT_API_PREFIX } from '#contract/bots/bot.ts';

const SERVICE = BOT_API_URL ?? BOT_API_PREFIX;
const TIMEOUT_MS = 20_000;

interface BotCall<Data> {
  userId: string;
  /** The service takes the user id in a header to list, create and delete, and in the query for the rest. */
  as: 'header' | 'query';
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  body?: unknown;
  /** Sent as `Idempotency-Key`. */
  key?: string;
  answer: AnswerSchema<Data>;
}

const headersOf = (token: string | undefined, given: Record<string, string>): Headers => {
  const headers = new Headers(given);
  if (token) headers.set('Authorization', `Bearer ${token}`);
  return headers;
};

/** Sends a request to the trading-bot service. It may run on another host, so no cookies are sent. Throws like `send`. */
export const botCall = <Data>(path: string, call: BotCall<Data>): Promise<Data> =>
  asUser(async (token) => {
    const headers = headersOf(token, { Accept: 'application/json' });
    if (call.as === 'header') headers.set('User-Id', call.userId);
    if (call.key) headers.set('Idempotency-Key', call.key);
    if (call.body !== undefined) headers.set('Content-Type', 'application/json');
    const query = call.as === 'query' ? `?user_id=${encodeURIComponent(call.userId)}` : '';
    const answer = await exchange(
      fetch(`${SERVICE}${path}${query}`, {
        method: call.method ?? 'GET',
        headers,
        credentials: 'omit',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      }),
    );
    if (!answer.ok) throw await refusalOf(answer);
    return parseAnswer(call.answer, answer);
  });

/** Reads a text file from the trading-bot service. Throws like `send`. */
export const botFile = (path: string, userId: string, type: string): Promise<Blob> =>
  asUser(async (token) => {
    const headers = headersOf(token, { Accept: type, 'User-Id': userId });
    const asked = fetch(`${SERVICE}${path}`, { headers, credentials: 'omit', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const response = await asked.catch(() => undefined);
    if (!response?.ok || !response.headers.get('Content-Type')?.startsWith(type)) {
      throw await refusalOf(await exchange(asked));
    }
    return response.blob().catch(() => {
      throw new NetworkError('unreachable');
    });
  });

/** Returns the service's error message, or `fallback` if it sent none. */
export function botMessage(error: unknown, fallback: string): string {
  if (error instanceof NetworkError) return errorMessage(error);
  return error instanceof ApiError && error.message && error.code !== 'unexpected_answer' ? error.message : fallback;
}
