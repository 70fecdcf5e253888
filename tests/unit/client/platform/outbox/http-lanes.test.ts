import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, NetworkError } from '#client/platform/api/errors.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { reportReachable, reportUnreachable } from '#client/platform/live/reachability.ts';
import { drainLane, type HttpLane } from '#client/platform/outbox/http-lanes.ts';
import { enqueue } from '#client/platform/outbox/outbox.ts';
import { sendSoon, startLane } from '#client/platform/outbox/start-lanes.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';

let users = 0;
let lanes = 0;
let userId: string;
let name: string;
const db = () => userDb(userId);
const put = (id: string) => enqueue(db(), { id, lane: name, body: id, createdAt: 1 });
const states = async () => (await db().outbox.toArray()).map(({ id, state }) => `${id} ${state}`);
const allSent = () => vi.waitFor(async () => expect(await db().outbox.count()).toBe(0));

const problem = (status: number) => new ApiError({ status, code: 'no', message: `No: ${status}` });

/** A separate lane that records its commands and fails on demand. */
function lane(failures: Record<string, Error[]> = {}) {
  const sent: string[] = [];
  const send: HttpLane<string>['send'] = async (_db, { id }) => {
    sent.push(id);
    const failure = failures[id]?.shift();
    if (failure) throw failure;
  };
  return { sent, lane: { name, send } };
}

beforeEach(async () => {
  users += 1;
  lanes += 1;
  userId = `lanes-${users}`;
  name = `lane-${lanes}`;
  vi.stubGlobal('fetch', async () => Response.json({ ok: true }));
  await signIn(makeTokens({ sub: userId }), true);
});

afterEach(async () => {
  reportReachable();
  await endSession();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('draining a lane', () => {
  it.each([400, 403, 404, 409, 422])('parks a command that the server answers with %i, and continues', async (status) => {
    await put('a');
    await put('b');
    const { lane: it, sent } = lane({ a: [problem(status)] });
    expect(await drainLane(db(), it)).toBe('empty');
    expect(sent).toEqual(['a', 'b']);
    expect(await db().outbox.toArray()).toMatchObject([{ id: 'a', state: 'parked', reason: `No: ${status}` }]);
  });

  it.each([401, 408, 429, 500, 502, 503, 200])('keeps a command that the server answers with %i', async (status) => {
    await put('a');
    expect(await drainLane(db(), lane({ a: [problem(status)] }).lane)).toBe('stopped');
    expect(await states()).toEqual(['a waiting']);
  });

  it('keeps a command without an answer', async () => {
    await put('a');
    expect(await drainLane(db(), lane({ a: [new NetworkError('timeout')] }).lane)).toBe('stopped');
    expect(await states()).toEqual(['a waiting']);
  });
});

describe('a started lane', () => {
  it('sends queued commands and later ones', async () => {
    await put('before');
    const { lane: it, sent } = lane();
    startLane(it);
    await allSent();
    await put('after');
    sendSoon(name);
    await allSent();
    expect(sent).toEqual(['before', 'after']);
  });

  it('sends nothing while the server is unreachable, and everything once it is back', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline'))); // a probe would find the server
    const { lane: it, sent } = lane();
    reportUnreachable();
    startLane(it);
    await put('a');
    sendSoon(name);
    await put('b');
    expect(sent).toEqual([]);
    reportReachable();
    await allSent();
    expect(sent).toEqual(['a', 'b']);
  });

  it('sends when the page becomes visible', async () => {
    startLane(lane().lane);
    await put('a');
    document.dispatchEvent(new Event('visibilitychange'));
    await allSent();
  });

  it('waits for a login', async () => {
    const { lane: it, sent } = lane();
    await put('a');
    const left = db();
    await endSession();
    startLane(it);
    expect(sent).toEqual([]);
    await signIn(makeTokens({ sub: userId }), true);
    await vi.waitFor(async () => expect(await left.outbox.count()).toBe(0));
  });

  it('retries by itself after a failure', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { lane: it, sent } = lane({ a: [problem(500)] });
    await put('a');
    startLane(it);
    await vi.waitUntil(async () => (await db().outbox.toArray())[0]?.attempts === 1);
    await vi.waitUntil(() => vi.getTimerCount() > 0);
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.waitUntil(async () => (await db().outbox.count()) === 0);
    expect(sent).toEqual(['a', 'a']);
  });
});
