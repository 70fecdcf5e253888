import Dexie from 'dexie';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { call } from '#client/platform/api/call.ts';
import { ApiError, errorMessage, NetworkError } from '#client/platform/api/errors.ts';
import { isReachable, reportReachable } from '#client/platform/live/reachability.ts';
import { endSession, sessionState, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
const unauthorized = () => json(401, { status: 401, code: 'unauthorized', message: 'Please log in again.' });
const answer = z.object({ ok: z.boolean() });

const session = makeTokens();
let fetched: ReturnType<typeof vi.fn<typeof fetch>>;
const paths = () => fetched.mock.calls.map(([url]) => String(url));
const header = (nth: number, name: string) => new Headers(fetched.mock.calls[nth]?.[1]?.headers).get(name);

beforeEach(async () => {
  fetched = vi.fn<typeof fetch>();
  vi.stubGlobal('fetch', fetched);
  await signIn(session, true);
});

afterEach(async () => {
  reportReachable();
  await endSession();
  vi.unstubAllGlobals();
});

describe('an authenticated call', () => {
  it('sends the bearer token, the idempotency key, cookies and JSON, and parses the answer', async () => {
    fetched.mockResolvedValueOnce(json(200, { ok: true, extra: 1 }));
    expect(await call('/thing', { method: 'POST', body: { a: 1 }, answer, key: 'k1' })).toEqual({ ok: true });
    expect(paths()).toEqual(['/api/thing']);
    expect(header(0, 'Authorization')).toBe(`Bearer ${session.accessToken}`);
    expect(header(0, 'Idempotency-Key')).toBe('k1');
    expect(fetched.mock.calls[0]?.[1]).toMatchObject({ body: '{"a":1}', credentials: 'include' });
  });

  it('says with a refusal how long the server asks to wait', async () => {
    const refusal = json(429, { status: 429, code: 'too_many_requests', message: 'Too many.' });
    refusal.headers.set('Retry-After', '30');
    fetched.mockResolvedValueOnce(refusal).mockResolvedValueOnce(json(429, {}));
    await expect(call('/thing', { answer })).rejects.toMatchObject({ status: 429, retryAfter: 30 });
    await expect(call('/thing', { answer })).rejects.toMatchObject({ status: 429, retryAfter: Number.NaN });
  });

  it('refuses an answer that breaks a contract whose code arrives after it', async () => {
    fetched.mockResolvedValueOnce(json(200, { ok: 'yes' }));
    const late = () => new Promise<typeof answer>((resolve) => setTimeout(() => resolve(answer), 20));
    await expect(call('/thing', { answer: late })).rejects.toMatchObject({ code: 'unexpected_answer' });
  });

  it('fails as without a connection when the contract’s code does not load', async () => {
    fetched.mockResolvedValueOnce(json(200, { ok: true }));
    const missing = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
    await expect(call('/thing', { answer: missing })).rejects.toBeInstanceOf(NetworkError);
  });

  it('is retried once after a 401, with the new token', async () => {
    const fresh = makeTokens({ refreshToken: 'refresh-2' });
    fetched.mockResolvedValueOnce(unauthorized()).mockResolvedValueOnce(json(200, { status: 200, data: fresh }));
    fetched.mockResolvedValueOnce(json(200, { ok: true }));
    expect(await call('/thing', { answer })).toEqual({ ok: true });
    expect(paths()).toEqual(['/api/thing', '/api/auth/refresh-token/', '/api/thing']);
    expect(header(2, 'Authorization')).toBe(`Bearer ${fresh.accessToken}`);
  });

  it('is not retried a second time', async () => {
    fetched.mockImplementation(async (url) =>
      String(url).includes('refresh') ? json(200, { status: 200, data: makeTokens({ refreshToken: 'refresh-2' }) }) : unauthorized(),
    );
    await expect(call('/thing', { answer })).rejects.toMatchObject({ status: 401 });
    expect(paths()).toHaveLength(3);
  });

  it('ends the session when the refresh is refused', async () => {
    fetched.mockImplementation(async () => unauthorized());
    await expect(call('/thing', { answer })).rejects.toBeInstanceOf(ApiError);
    expect(sessionState()).toEqual({ status: 'signed-out', ended: true });
  });

  it('rejects with the server’s error', async () => {
    fetched.mockResolvedValueOnce(
      json(400, { status: 400, code: 'validation', message: 'Wrong.', detail: { fields: { email: 'Email is required' } } }),
    );
    await expect(call('/thing', { answer })).rejects.toMatchObject({
      status: 400,
      code: 'validation',
      message: 'Wrong.',
      detail: { fields: {} },
    });
  });

  it('treats an unreadable answer as an error', async () => {
    fetched.mockResolvedValueOnce(json(200, { ok: 'yes' }));
    await expect(call('/thing', { answer })).rejects.toMatchObject({ code: 'unexpected_answer' });
  });

  it('distinguishes a lost connection from a refusal, and remembers it', async () => {
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await expect(call('/thing', { answer })).rejects.toBeInstanceOf(NetworkError);
    expect(isReachable()).toBe(false);
  });

  it('reports a timeout', async () => {
    fetched.mockRejectedValueOnce(new DOMException('', 'TimeoutError'));
    await expect(call('/thing', { answer })).rejects.toThrow('took too long');
  });
});

it('has a message for any thrown value', () => {
  expect(errorMessage(new ApiError({ status: 400, code: 'x', message: 'Because.' }))).toBe('Because.');
  expect(errorMessage(new NetworkError('unreachable'))).toContain('No connection');
  expect(errorMessage(new TypeError('undefined is not a function'))).toBe('Something went wrong. Please try again.');
  for (const full of [new DOMException('full', 'QuotaExceededError'), new Dexie.AbortError('full')])
    expect(errorMessage(full)).toBe('The answer could not be stored on this device. Free some space and try again.');
});
