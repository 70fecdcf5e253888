import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { call } from '#client/platform/api/call.ts';
import { dropEarlyAnswer, keepEarlyAnswer, takeEarlyAnswer } from '#client/platform/api/early-answer.ts';
import { reportReachable } from '#client/platform/live/reachability.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';

const LIST = { method: 'POST', path: '/list', body: '{"limit":1}' };
const answer = z.object({ from: z.string() });
const json = (from: string, status = 200) =>
  new Response(JSON.stringify({ from }), { status, headers: { 'Content-Type': 'application/json' } });

const tokens = makeTokens();
const sendEarly = vi.fn<() => Promise<Response>>();
const fetched = vi.fn<typeof fetch>();
const ask = () => call('/list', { method: 'POST', body: { limit: 1 }, answer });
const keep = () => keepEarlyAnswer(LIST, tokens.accessToken, sendEarly);

beforeEach(async () => {
  delete (globalThis as { earlyAnswer?: unknown }).earlyAnswer;
  sendEarly.mockReset().mockImplementation(async () => json('first script'));
  fetched.mockReset().mockImplementation(async () => json('app'));
  vi.stubGlobal('fetch', fetched);
  await signIn(tokens, true);
});

afterEach(async () => {
  vi.useRealTimers();
  reportReachable(); // ends the search for the server that a failure began
  await endSession();
  vi.unstubAllGlobals();
});

describe('an early answer', () => {
  it('answers the same request of the same session, once', async () => {
    keep();
    expect(await ask()).toEqual({ from: 'first script' });
    expect(fetched).not.toHaveBeenCalled();
    expect(await ask()).toEqual({ from: 'app' });
  });

  it('stays until its request comes', async () => {
    keep();
    await call('/other', { answer });
    await call('/list', { answer });
    expect(await ask()).toEqual({ from: 'first script' });
  });

  it('never answers another user or a later session', async () => {
    keep();
    await endSession();
    expect(takeEarlyAnswer(LIST, undefined)).toBeUndefined();
    await signIn(makeTokens({ sub: 'user-2' }), true);
    expect(await ask()).toEqual({ from: 'app' });
    await signIn(tokens, true);
    expect(await ask()).toEqual({ from: 'app' });
  });

  it('is not used after thirty seconds, or after it was dropped', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    keep();
    vi.advanceTimersByTime(30_000);
    expect(await ask()).toEqual({ from: 'app' });
    delete (globalThis as { earlyAnswer?: unknown }).earlyAnswer;
    keep();
    dropEarlyAnswer();
    expect(await ask()).toEqual({ from: 'app' });
  });

  it('is not asked for once the app has asked', async () => {
    await ask();
    keep();
    expect(sendEarly).not.toHaveBeenCalled();
  });

  it('fails like the request it replaces, and a new one follows', async () => {
    sendEarly.mockRejectedValue(new TypeError('Failed to fetch'));
    keep();
    await expect(ask()).rejects.toThrow('No connection');
    expect(await ask()).toEqual({ from: 'app' });
  });

  it('that is refused refreshes the token, and the app asks again', async () => {
    const renewed = makeTokens({ refreshToken: 'refresh-2' });
    sendEarly.mockImplementation(async () => json('first script', 401));
    fetched.mockImplementationOnce(async () => Response.json({ status: 200, data: renewed }));
    keep();
    expect(await ask()).toEqual({ from: 'app' });
    expect(new Headers(fetched.mock.calls[1]?.[1]?.headers).get('Authorization')).toBe(`Bearer ${renewed.accessToken}`);
  });
});
