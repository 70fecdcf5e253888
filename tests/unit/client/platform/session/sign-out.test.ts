import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deviceDb } from '#client/platform/db/device-db.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { sendRevocations } from '#client/platform/session/revocations.ts';
import { accessToken, currentTokens, sessionState, signIn } from '#client/platform/session/session.ts';
import { signOut } from '#client/platform/session/sign-out.ts';
import { finishSignOuts } from '#client/platform/session/wipes.ts';
import { DAY } from '#domain/clock.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { fakeApi, refusal } from '#tests/support/client/fake-api.ts';

const LOGOUT = 'POST /api/auth/logout/';
const END = 'POST /api/auth/end-session/';
const DONE = { status: 200, body: { status: 200, message: 'Logged out.' } };
const REFRESH_TOKEN = 'session-1.secret-of-the-device';
const REVOCATION = {
  session_id: 'session-1',
  token_hash: createHash('sha256').update(REFRESH_TOKEN).digest('base64url'),
};
const databases = async () => (await indexedDB.databases()).map(({ name }) => name);

async function member(sub: string, options: { exp?: number } = {}) {
  await signIn(makeTokens({ sub, refreshToken: REFRESH_TOKEN, ...options }), true);
  await userDb(sub).stamps.put({ key: 'mine', savedAt: 1 });
}

/** Returns all rows in the device's database that identify a user or open a session. */
async function isGone(sub: string) {
  expect(sessionState()).toEqual({ status: 'signed-out', ended: true });
  expect(currentTokens()).toBeUndefined();
  expect(await deviceDb.session.count()).toBe(0);
  expect(await deviceDb.wipes.count()).toBe(0);
  expect(await databases()).not.toContain(`tidemark-user-${sub}`);
  const left = JSON.stringify(await deviceDb.revocations.toArray());
  for (const trace of ['secret-of-the-device', sub, 'ada@example.com', 'Ada']) expect(left).not.toContain(trace);
}

beforeEach(async () => {
  await deviceDb.revocations.clear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('signing out', () => {
  it.each([
    ['200', DONE],
    ['403', refusal(403, 'No.')],
  ])('answered with %s, deletes all data of the user and leaves nothing to send', async (_name, answer) => {
    const asked = fakeApi({ [LOGOUT]: answer });
    await member('leaves');
    await signOut();
    await isGone('leaves');
    await vi.waitFor(async () => expect(await deviceDb.revocations.count()).toBe(0));
    expect(asked).toEqual([{ call: LOGOUT, body: { refreshToken: REFRESH_TOKEN } }]);
  });

  it('answered with 401, as for an old access token, ends the session with the revocation', async () => {
    const asked = fakeApi({ [LOGOUT]: refusal(401, 'No.'), [END]: DONE });
    await member('leaves');
    await signOut();
    await isGone('leaves');
    await vi.waitFor(async () => expect(await deviceDb.revocations.count()).toBe(0));
    expect(asked.at(-1)).toEqual({ call: END, body: REVOCATION });
  });

  it.each([
    ['500', { [LOGOUT]: refusal(500, 'Oh.'), [END]: refusal(500, 'Oh.') }],
    ['nothing, offline', {}],
  ])('answered with %s, still deletes all data of the user except the pending revocation', async (_name, answers) => {
    fakeApi(answers);
    await member('leaves');
    await signOut();
    await isGone('leaves');
    await vi.waitFor(async () =>
      expect(await deviceDb.revocations.toArray()).toEqual([
        { sessionId: 'session-1', tokenHash: REVOCATION.token_hash, signedOutAt: expect.any(Number), tried: true },
      ]),
    );
  });

  it('completes at once while the server hangs, and reports the missing answer after five seconds', async () => {
    let giveUp = () => {};
    vi.stubGlobal('fetch', () => new Promise((_resolve, reject) => (giveUp = () => reject(new TypeError('aborted')))));
    await member('leaves');
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    await signOut();
    await isGone('leaves');
    expect((await deviceDb.revocations.toArray())[0]?.tried).toBe(false);
    await vi.advanceTimersByTimeAsync(5_000);
    vi.useRealTimers();
    await vi.waitFor(async () => expect((await deviceDb.revocations.toArray())[0]?.tried).toBe(true));
    giveUp();
  });

  it('signs out once for two clicks', async () => {
    const asked = fakeApi({ [LOGOUT]: DONE, [END]: DONE });
    await member('leaves');
    await Promise.all([signOut(), signOut()]);
    await isGone('leaves');
    await vi.waitFor(async () => expect(await deviceDb.revocations.count()).toBe(0));
    expect(asked.length).toBeGreaterThan(0);
  });

  it('ignores the answer of a pending refresh, even after the next user has signed in', async () => {
    let answer = (_response: Response) => {};
    const refreshing = () => new Promise<Response>((resolve) => (answer = resolve));
    const fetched = async (input: string) => (input.includes('refresh') ? refreshing() : Response.error());
    vi.stubGlobal('fetch', vi.fn(fetched));
    await member('leaves', { exp: Math.floor(Date.now() / 1000) - 10 });
    const refreshed = accessToken();
    await vi.waitFor(() => expect(fetch).toHaveBeenCalled());
    await signOut();
    await signIn(makeTokens({ sub: 'next', refreshToken: 'session-2.other' }), true);
    answer(Response.json({ status: 200, data: makeTokens({ sub: 'leaves', refreshToken: 'session-1.fresh' }) }));
    expect(await refreshed).toBeUndefined();
    expect(sessionState()).toMatchObject({ status: 'signed-in', claims: { sub: 'next' } });
    expect(currentTokens()?.refreshToken).toBe('session-2.other');
  });

  it('continues at the next start if interrupted, only for the user who signed out', async () => {
    await member('stays');
    await member('cut-short');
    await deviceDb.wipes.put({ userId: 'cut-short' });
    await finishSignOuts();
    expect(await databases()).not.toContain('tidemark-user-cut-short');
    expect(await userDb('stays').stamps.count()).toBe(1);
    expect(await deviceDb.wipes.count()).toBe(0);
  });
});

describe('a pending revocation', () => {
  const waiting = (sessionId: string, signedOutAt = Date.now()) =>
    deviceDb.revocations.put({ sessionId, tokenHash: `hash-of-${sessionId}`, signedOutAt, tried: true });

  it.each([200, 401, 403, 400])('is sent until the server answers %i', async (status) => {
    let isUp = false;
    const answer = status === 200 ? DONE : refusal(status, 'No.');
    const asked = fakeApi({ [END]: () => (isUp ? answer : refusal(503, 'Oh.')) });
    await waiting('session-1');
    expect(await sendRevocations()).toBe('stopped');
    expect(await deviceDb.revocations.count()).toBe(1);
    isUp = true;
    expect(await sendRevocations()).toBe('empty');
    expect(await deviceDb.revocations.count()).toBe(0);
    expect(asked).toHaveLength(2);
  });

  it.each([404, 408, 429])('is kept for a retry if the server answers %i', async (status) => {
    fakeApi({ [END]: refusal(status, 'No.') });
    await waiting('session-1');
    expect(await sendRevocations()).toBe('stopped');
    expect(await deviceDb.revocations.count()).toBe(1);
  });

  it('is sent whatever the clock of the device was at the sign-out', async () => {
    const asked = fakeApi({ [END]: DONE });
    await waiting('behind', 0);
    await waiting('ahead', Date.now() + 365 * DAY);
    expect(await sendRevocations()).toBe('empty');
    expect(asked.map(({ body }) => (body as { session_id: string }).session_id)).toEqual(['ahead', 'behind']);
  });

  it('is kept for the last twenty sign-outs', async () => {
    for (let index = 0; index < 20; index++) await waiting(`earlier-${index}`, index + 1);
    fakeApi({});
    await member('leaves');
    await signOut();
    const kept = (await deviceDb.revocations.toArray()).map(({ sessionId }) => sessionId);
    expect(kept).toHaveLength(20);
    expect(kept).toContain('session-1');
    expect(kept).not.toContain('earlier-0');
  });

  it('is sent by one tab at a time', async () => {
    const asked = fakeApi({ [END]: DONE });
    await waiting('session-1');
    await Promise.all([sendRevocations(), sendRevocations(), sendRevocations()]);
    expect(asked).toHaveLength(1);
  });
});
