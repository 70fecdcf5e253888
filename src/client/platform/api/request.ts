import { API_URL } from '../settings.ts';

const TIMEOUT = 20_000;

/** Sends a request to the main API. `key` travels as `Idempotency-Key`. Rejects after 20 s. */
export function request(method: string, path: string, body: string | undefined, accessToken?: string, key?: string): Promise<Response> {
  const headers = new Headers({ Accept: 'application/json' });
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  if (key) headers.set('Idempotency-Key', key);
  if (accessToken) headers.set('Authorization', `Bearer ${accessToken}`);
  return fetch(`${API_URL}${path}`, {
    method,
    headers,
    credentials: 'include',
    signal: AbortSignal.timeout(TIMEOUT),
    ...(body !== undefined && { body }),
  });
}
