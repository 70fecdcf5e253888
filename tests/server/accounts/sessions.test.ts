import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Tokens, tokensAnswer } from '#contract/account/tokens.ts';
import { DAY, MINUTE } from '#domain/clock.ts';
import { refreshTokens } from '#server/db/schema/sessions.ts';
import { lettersTo } from '#tests/support/mail/letters.ts';
import { isNightly } from '#tests/support/nightly.ts';
import { PASSWORD, type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const START = Date.UTC(2026, 2, 1, 12);
let now = START;
let server: TestServer;
/** Each test has its own address, so that rate limits do not add up. */
let address = 0;
let ada: SignedUp;
let bob: SignedUp;

beforeAll(async () => {
  server = await startServer({ clock: () => now, env: { TRUST_PROXY: 'on' } });
  [ada, bob] = [await server.signUp(), await server.signUp()];
});
beforeEach(() => {
  now = START;
  address++;
});
afterAll(() => server.close());

const login = (email: string, password: string) =>
  server.post('/auth/login/', { email, password }, { 'x-forwarded-for': `10.0.0.${address}` });
const refresh = (refreshToken: string) => server.post('/auth/refresh-token/', { refreshToken });
const profile = (accessToken: string, userId = ada.user.id) =>
  fetch(`${server.url}/api/auth/user/${userId}/`, { headers: { authorization: `Bearer ${accessToken}` } });
const logout = ({ accessToken, refreshToken }: Tokens) =>
  server.post('/auth/logout/', { refreshToken }, { authorization: `Bearer ${accessToken}` });

async function newSession(): Promise<Tokens> {
  return tokensAnswer.parse(await (await login(ada.user.email, PASSWORD)).json()).data;
}

async function rotate(refreshToken: string): Promise<Tokens> {
  const response = await refresh(refreshToken);
  expect(response.status).toBe(200);
  return tokensAnswer.parse(await response.json()).data;
}

describe('logging in', () => {
  test.each([
    ['a wrong password', () => ada.user.email, 'Wrong-1234'],
    ['an account that does not exist', () => 'unknown@example.com', PASSWORD],
  ])('with %s is refused in the same words', async (_name, email, password) => {
    const response = await login(email(), password);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      status: 400,
      code: 'invalid_credentials',
      message: 'Invalid email or password',
      detail: { isVerified: 1 },
    });
  });

  test('with a wrong password does not tell that an account waits for its code', async () => {
    const email = `${randomUUID()}@example.com`;
    await server.post('/auth/register/', { first_name: 'Eve', last_name: 'Moss', email, country: '', password: PASSWORD });
    expect(await (await login(email, 'Wrong-1234')).json()).toMatchObject({ detail: { isVerified: 1 } });
    expect(await (await login(email, PASSWORD)).json()).toMatchObject({ detail: { isVerified: 2 } });
  });
});

describe('the access token', () => {
  test('opens one’s own profile, with and without the slash', async () => {
    const { accessToken } = await newSession();
    const response = await profile(accessToken);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      status: 200,
      data: {
        id: ada.user.id,
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: ada.user.email,
        country: '',
        profile_image: null,
        pictures: { quota: 100_000_000, used: 0 },
        created_at: new Date(START).toISOString(),
        userSubscription: {
          planType: 'FREE',
          extraChatAnalysis: 3,
          extraQuestions: 10,
          activeAutoRenewal: false,
          endDate: null,
          nextPlan: null,
          appUserId: expect.any(String),
        },
      },
    });
    const bare = await fetch(`${server.url}/api/auth/user/${ada.user.id}`, { headers: { authorization: `bearer ${accessToken}` } });
    expect(bare.status).toBe(200);
  });

  test.each([
    ['another user', () => bob.user.id],
    ['unknown', randomUUID],
    ['no id', () => 'x'],
  ])('finds no profile of %s', async (_name, id) => {
    const { accessToken } = await newSession();
    const response = await profile(accessToken, id());
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('ends after 15 minutes', async () => {
    const { accessToken } = await newSession();
    now = START + 15 * MINUTE - 1000;
    expect((await profile(accessToken)).status).toBe(200);
    now = START + 15 * MINUTE + 1000;
    expect((await profile(accessToken)).status).toBe(401);
  });

  test.each<[string, () => Promise<string> | string]>([
    ['garbage', () => 'garbage'],
    ['nothing', () => ''],
    ['an unsigned one', async () => new UnsecuredJWT(await claims()).encode()],
    ['one signed by someone else', async () => sign(await claims(), 'x'.repeat(43))],
    ['one of a session that never was', async () => sign({ ...(await claims()), sid: randomUUID() })],
    ['one of another user’s session', async () => sign({ ...(await claims()), sub: bob.user.id })],
    ['one whose session is no id', async () => sign({ ...(await claims()), sid: 'x' })],
    ['one without an end', async () => sign({ ...(await claims()), exp: undefined })],
  ])('is not %s', async (_name, token) => {
    const response = await profile(await token());
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ status: 401, code: 'unauthorized', message: 'Please log in again.' });
  });

  async function claims(): Promise<Record<string, unknown>> {
    const { accessToken } = await newSession();
    return JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString());
  }

  const sign = (payload: Record<string, unknown>, secret = server.config.jwtSecret) =>
    new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret));
});

describe('the refresh token', () => {
  test('is traded for new tokens of the same session', async () => {
    const first = await newSession();
    const second = await rotate(first.refreshToken);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect((await profile(second.accessToken)).status).toBe(200);
    const third = await rotate(second.refreshToken);
    expect((await profile(third.accessToken)).status).toBe(200);
  });

  test('stays good while its answer may have been lost, and ends the family when used after its successor', async () => {
    const first = await newSession();
    await rotate(first.refreshToken);
    const again = await rotate(first.refreshToken);
    const next = await rotate(again.refreshToken);

    const reused = await refresh(first.refreshToken);
    expect(reused.status).toBe(403);
    expect(await reused.json()).toMatchObject({ status: 403, code: 'session_ended' });
    for (const { refreshToken, accessToken } of [first, again, next]) {
      expect((await refresh(refreshToken)).status).toBe(403);
      expect((await profile(accessToken)).status).toBe(401);
    }
    // Other devices of the user stay signed in.
    expect((await profile(ada.tokens.accessToken)).status).toBe(200);
  });

  test('has one line of successors: the twin of a used one ends the family', async () => {
    const first = await newSession();
    const lost = await rotate(first.refreshToken);
    const kept = await rotate(first.refreshToken);
    await rotate(kept.refreshToken);
    expect((await refresh(lost.refreshToken)).status).toBe(403);
    expect((await refresh(kept.refreshToken)).status).toBe(403);
  });

  test('lets only one of two twins go on when they come at once', async () => {
    const first = await newSession();
    const twins = [await rotate(first.refreshToken), await rotate(first.refreshToken)];
    const statuses = await Promise.all(twins.map(async ({ refreshToken }) => (await refresh(refreshToken)).status));
    expect(statuses.sort()).toEqual([200, 403]);
  });

  test('answers several requests at once: tabs may race', async () => {
    const { refreshToken } = await newSession();
    const answers = await Promise.all(Array.from({ length: 5 }, () => rotate(refreshToken)));
    expect(new Set(answers.map((answer) => answer.refreshToken)).size).toBe(5);
  });

  // `npm run nightly` sends a thousand.
  test('handles hundreds of concurrent requests: all are answered, and one chain of tokens continues', async () => {
    const requests = isNightly ? 1000 : 200;
    const first = await newSession();
    const answers = await Promise.all(
      Array.from({ length: requests }, async (_, index) => {
        const from = { 'x-forwarded-for': `10.2.${index >> 6}.${index & 63}` };
        const response = await server.post('/auth/refresh-token/', { refreshToken: first.refreshToken }, from);
        expect(response.status).toBe(200);
        return tokensAnswer.parse(await response.json()).data;
      }),
    );
    expect(new Set(answers.map(({ refreshToken }) => refreshToken)).size).toBe(requests);
    // Like the tabs of a device, which keep only the last answer.
    const kept = answers.at(-1);
    const next = await rotate(kept?.refreshToken ?? '');
    expect((await profile(next.accessToken)).status).toBe(200);
    const left = await server.db.$count(refreshTokens, eq(refreshTokens.sessionId, next.refreshToken.split('.')[0] ?? ''));
    expect(left).toBe(2);
    expect((await refresh(answers[0]?.refreshToken ?? '')).status).toBe(403);
    expect((await profile(next.accessToken)).status).toBe(401);
  });

  test('used after its successor is notified to its owner, once', async () => {
    const eve = await server.signUp();
    await rotate((await rotate(eve.tokens.refreshToken)).refreshToken);
    for (let tries = 0; tries < 3; tries++) expect((await refresh(eve.tokens.refreshToken)).status).toBe(403);
    await server.settled();
    const letters = await lettersTo(server.dataDir, eve.user.email);
    expect(letters.map(({ subject }) => subject)).toEqual(['A device was signed out of Tidemark']);
    // Only one device's session ended; signing in again works.
    expect((await login(eve.user.email, PASSWORD)).status).toBe(200);
  });

  test('that is merely asked for again after a lost answer is no cause for a letter', async () => {
    const eve = await server.signUp();
    await rotate(eve.tokens.refreshToken);
    await rotate((await rotate(eve.tokens.refreshToken)).refreshToken);
    await server.settled();
    expect(await lettersTo(server.dataDir, eve.user.email)).toEqual([]);
  });

  test('lives 30 days from its issue', async () => {
    const { refreshToken } = await newSession();
    now = START + 30 * DAY - 1;
    const later = await rotate(refreshToken);
    now += 30 * DAY;
    const expired = await refresh(later.refreshToken);
    expect(expired.status).toBe(401);
    expect(await expired.json()).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  test.each([
    ['no token', () => 'garbage'],
    ['a session without a secret', () => randomUUID()],
    ['an unknown session', () => `${randomUUID()}.secret`],
    ['an access token', () => ada.tokens.accessToken],
  ])('is not %s', async (_name, token) => {
    expect((await refresh(token())).status).toBe(401);
  });
});

describe('logging out', () => {
  test('ends the session everywhere, and no other', async () => {
    const [mine, other] = [await newSession(), await newSession()];
    expect((await logout(mine)).status).toBe(200);
    expect((await profile(mine.accessToken)).status).toBe(401);
    expect((await refresh(mine.refreshToken)).status).toBe(403);
    expect((await profile(other.accessToken)).status).toBe(200);
  });

  test('accepts only a refresh token of the same session', async () => {
    const [mine, other] = [await newSession(), await newSession()];
    const response = await logout({ ...mine, refreshToken: other.refreshToken });
    expect(response.status).toBe(403);
    expect((await profile(mine.accessToken)).status).toBe(200);
    expect((await profile(other.accessToken)).status).toBe(200);
  });

  test('needs a token', async () => {
    const { refreshToken } = await newSession();
    expect((await server.post('/auth/logout/', { refreshToken })).status).toBe(401);
    await rotate(refreshToken);
  });
});
