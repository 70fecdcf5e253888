import { reportReachable, reportUnreachable } from '../live/reachability.ts';
import { takeEarlyAnswer } from './early-answer.ts';
import { ApiError, NetworkError } from './errors.ts';
import { request } from './request.ts';

/** Reads a JSON answer: a schema of zod, or a check without zod for what a cold start shows first. */
export interface AnswerSchema<Data> {
  safeParse: (json: unknown) => { success: true; data: Data } | { success: false };
}

/** A schema, or a function that loads it: the first screen asks before it has the code that reads the answer. */
type LateSchema<Data> = AnswerSchema<Data> | (() => Promise<AnswerSchema<Data>>);

export interface Call<Data> {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  body?: unknown;
  /** Schema of a 2xx answer. */
  answer: LateSchema<Data>;
  /** Travels as `Idempotency-Key`. */
  key?: string;
}

/**
 * Sends one request to the main API and parses the answer.
 * @throws ApiError if the server refuses; NetworkError if our server does not answer within 20 s.
 */
export async function send<Data>(path: string, call: Call<Data>, accessToken?: string): Promise<Data> {
  const method = call.method ?? 'GET';
  const body = call.body === undefined ? undefined : JSON.stringify(call.body);
  const early = takeEarlyAnswer({ method, path, body }, accessToken);
  // An answer that is under way soon needs its schema. Others load it when they come: without a connection, no start needs it.
  const schema = early && loadSchema(call.answer);
  schema?.catch(() => undefined); // reported below, unless the request fails first
  const answer = await exchange(early ?? request(method, path, body, accessToken, call.key));

  if (!answer.ok) throw await refusalOf(answer);
  return parseAnswer(await (schema ?? loadSchema(call.answer)), answer);
}

async function loadSchema<Data>(answer: LateSchema<Data>): Promise<AnswerSchema<Data>> {
  if (typeof answer !== 'function') return answer;
  try {
    return await answer();
  } catch {
    throw new NetworkError('unreachable');
  }
}

/** An answer of any status. */
interface Answered {
  status: number;
  json?: unknown;
  /** As in `ApiError`. */
  retryAfter?: number;
}

/** Parses a 2xx answer. Throws ApiError if it breaks the contract. */
export function parseAnswer<Data>(schema: AnswerSchema<Data>, { status, json }: Answered): Data {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new ApiError({ status, code: 'unexpected_answer', message: 'The server gave an answer this version cannot read.' });
}

/** Turns any other answer into an error. */
export async function refusalOf({ status, json, retryAfter }: Answered): Promise<ApiError> {
  const refusal = await import('#contract/errors.ts').then(({ apiError }) => apiError.safeParse(json)).catch(() => undefined);
  return new ApiError(
    refusal?.success ? refusal.data : { status, code: 'unexpected_answer', message: 'The server could not answer. Please try again.' },
    retryAfter,
  );
}

/** Reads a JSON answer of any status. Throws NetworkError if our server does not answer. */
export async function exchange(asked: Promise<Response>) {
  try {
    const response = await asked;
    // HTML comes from a captive portal or a proxy, not from our server.
    if (!response.headers.get('Content-Type')?.includes('json')) throw new TypeError('not JSON');
    const json: unknown = await response.json();
    reportReachable();
    return { status: response.status, ok: response.ok, json, retryAfter: Number(response.headers.get('Retry-After') ?? Number.NaN) };
  } catch (error) {
    reportUnreachable();
    throw new NetworkError(error instanceof DOMException && error.name === 'TimeoutError' ? 'timeout' : 'unreachable');
  }
}
