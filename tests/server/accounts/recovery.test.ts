import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { forgotPasswordAnswer, recoveryGrantAnswer } from '#contract/account/account.ts';
import { DAY, MINUTE } from '#domain/clock.ts';
import { lettersTo, otherThan } from '#tests/support/mail/letters.ts';
import { PASSWORD, type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const NOON = Date.UTC(2026, 2, 1, 12);
const NEW_PASSWORD = 'Other-1234';
let now = NOON;
let server: TestServer;
/** Each test has its own address, so that rate limits do not add up. */
let address = 0;

beforeAll(async () => {
  server = await startServer({ clock: () => now, env: { TRUST_PROXY: 'on' } });
});
beforeEach(() => {
  now = NOON;
  address++;
});
afterAll(() => server.close());

const post = (route: string, body: unknown) => server.post(`/auth/${route}/`, body, { 'x-forwarded-for': `10.0.${address}.1` });
const forgot = (email: string) => post('forgot-password', { email });
const verify = (email: string, recoveryCode: string) => post('verify-recovery-code', { email, recoveryCode });
const reset = (email: string, recoveryCode: string, newPassword = NEW_PASSWORD) =>
  post('reset-password', { email, newPassword, recoveryCode });
const login = (email: string, password: string) => post('login', { email, password });
const profile = ({ user, authorization }: SignedUp) =>
  fetch(`${server.url}/api/auth/user/${user.id}/`, { headers: { authorization } }).then(({ status }) => status);

async function codeOf(response: Response) {
  const body = await response.json();
  expect(body).toEqual({ status: response.status, code: expect.any(String), message: expect.any(String) });
  return `${response.status} ${body.code}`;
}

async function codeFor(email: string): Promise<string> {
  expect((await forgot(email)).status).toBe(200);
  return server.mail(email);
}

async function grantFor(email: string): Promise<string> {
  const response = await verify(email, await codeFor(email));
  expect(response.status).toBe(200);
  return recoveryGrantAnswer.parse(await response.json()).data.recoveryCode;
}

async function subjects(email: string): Promise<string[]> {
  await server.settled();
  return (await lettersTo(server.dataDir, email)).map(({ subject }) => subject);
}

describe('a forgotten password', () => {
  test('is replaced with the mailed code, which ends every session and is confirmed by mail', async () => {
    const ada = await server.signUp();
    const { email } = ada.user;
    const grant = await grantFor(email);
    const response = await reset(email, grant);
    expect([response.status, await response.json()]).toEqual([200, { status: 200, message: expect.any(String) }]);

    expect((await login(email, PASSWORD)).status).toBe(400);
    expect((await login(email, NEW_PASSWORD)).status).toBe(200);
    expect(await profile(ada)).toBe(401);
    expect((await post('refresh-token', { refreshToken: ada.tokens.refreshToken })).status).toBe(403);
    expect(await subjects(email)).toEqual(['Your Tidemark password was changed', 'Your Tidemark password reset code']);
  });

  test('leaves other people signed in', async () => {
    const [ada, bob] = [await server.signUp(), await server.signUp()];
    await reset(ada.user.email, await grantFor(ada.user.email));
    expect(await profile(bob)).toBe(200);
  });

  test('is asked for in one and the same words, whether there is an account or not', async () => {
    const { user } = await server.signUp();
    const waiting = `${randomUUID()}@example.com`;
    await post('register', { first_name: 'Eve', last_name: 'Moss', email: waiting, country: '', password: PASSWORD });
    const answers = await Promise.all(
      [user.email, waiting, 'stranger@example.com'].map(async (email) => {
        const response = await forgot(email);
        const answer = forgotPasswordAnswer.parse(await response.json());
        expect(answer.data.email).toBe(email);
        return { ...answer, status: response.status, headers: [...response.headers.keys()], data: undefined };
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(await subjects('stranger@example.com')).toEqual([]);
    // Only a verified user gets a code. Others get a mail that says what to do first.
    expect((await subjects(waiting))[0]).toBe('Your Tidemark address is not verified yet');
    expect((await lettersTo(server.dataDir, waiting))[0]?.text).not.toMatch(/^\d{4}$/m);
    expect((await subjects(user.email))[0]).toBe('Your Tidemark password reset code');
  });

  test('tells a guesser nothing of whether there is an account', async () => {
    const { user } = await server.signUp();
    const waiting = `${randomUUID()}@example.com`;
    await post('register', { first_name: 'Eve', last_name: 'Moss', email: waiting, country: '', password: PASSWORD });
    const story = async (email: string, guess: string) => {
      const answers = [];
      for (let tries = 1; tries <= 6; tries++) answers.push(await verify(email, guess));
      answers.push(await reset(email, 'guessed'));
      return Promise.all(answers.map(async (answer) => `${answer.status} ${await answer.text()}`));
    };
    const known = await story(user.email, otherThan(await codeFor(user.email)));
    for (const email of [waiting, 'ghost@example.com']) {
      await forgot(email);
      await server.settled();
      expect(await story(email, '1234')).toEqual(known);
    }
  });
});

describe('a reset code', () => {
  test('lives 180 seconds', async () => {
    const { user } = await server.signUp();
    const code = await codeFor(user.email);
    now = NOON + 3 * MINUTE;
    expect(await codeOf(await verify(user.email, code))).toBe('400 code_expired');
  });

  test('is used up by its first use', async () => {
    const { user } = await server.signUp();
    const code = await codeFor(user.email);
    const answers = await Promise.all(Array.from({ length: 5 }, () => verify(user.email, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
    expect(await codeOf(await verify(user.email, code))).toBe('400 code_expired');
  });

  test('is another thing than a verification code', async () => {
    const email = `${randomUUID()}@example.com`;
    await post('register', { first_name: 'Eve', last_name: 'Moss', email, country: '', password: PASSWORD });
    const atSignUp = await server.mail(email);
    expect((await post('verify-otp', { email, recoveryCode: atSignUp })).status).toBe(200);
    expect(await codeOf(await verify(email, atSignUp))).toBe('400 code_expired');
    expect(await codeOf(await reset(email, atSignUp))).toBe('400 grant_invalid');
  });

  test('makes the grant of the code before void', async () => {
    const { user } = await server.signUp();
    const [first, second] = [await grantFor(user.email), await grantFor(user.email)];
    expect(await codeOf(await reset(user.email, first))).toBe('400 grant_invalid');
    expect((await reset(user.email, second)).status).toBe(200);
  });

  test('goes with the grant it was traded for', async () => {
    const { user } = await server.signUp();
    const code = await codeFor(user.email);
    const { data } = recoveryGrantAnswer.parse(await (await verify(user.email, code)).json());
    expect((await reset(user.email, data.recoveryCode)).status).toBe(200);
    expect(await codeOf(await verify(user.email, code))).toBe('400 code_expired');
  });
});

describe('a grant', () => {
  test('is good once', async () => {
    const { user } = await server.signUp();
    const grant = await grantFor(user.email);
    const attempts = await Promise.all(['First-1234', 'Second-1234'].map((password) => reset(user.email, grant, password)));
    expect(attempts.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await codeOf(await reset(user.email, grant))).toBe('400 grant_invalid');
  });

  test('lives 10 minutes', async () => {
    const { user } = await server.signUp();
    const grant = await grantFor(user.email);
    now = NOON + 10 * MINUTE;
    expect(await codeOf(await reset(user.email, grant))).toBe('400 grant_invalid');
    now--;
    expect((await reset(user.email, grant)).status).toBe(200);
  });

  test('is good for its own account only', async () => {
    const [ada, bob] = [await server.signUp(), await server.signUp()];
    const grant = await grantFor(ada.user.email);
    expect(await codeOf(await reset(bob.user.email, grant))).toBe('400 grant_invalid');
    expect((await login(bob.user.email, PASSWORD)).status).toBe(200);
    expect((await reset(ada.user.email, grant)).status).toBe(200);
  });

  test('is not spent on a password that breaks the rule', async () => {
    const { user } = await server.signUp();
    const grant = await grantFor(user.email);
    const refused = await reset(user.email, grant, 'short');
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ code: 'validation', detail: { fields: { newPassword: expect.any(String) } } });
    expect((await reset(user.email, grant)).status).toBe(200);
  });
});

describe('after three wrong reset codes in a day', () => {
  async function spendTries(email: string) {
    const code = await codeFor(email);
    for (let tries = 1; tries <= 3; tries++) {
      const refusal = await codeOf(await verify(email, otherThan(code)));
      expect(refusal).toBe(tries < 3 ? '400 code_wrong' : '400 code_link_only');
    }
    return code;
  }
  const linkTo = async (email: string) => (await lettersTo(server.dataDir, email))[0]?.text.match(/\/auth\/reset-link\/(\S+)$/m)?.[1] ?? '';
  const page = (token: string, newPassword?: string) =>
    fetch(`${server.url}/api/auth/reset-link/${token}`, {
      ...(newPassword !== undefined && { method: 'POST', body: new URLSearchParams({ newPassword }) }),
      headers: { 'x-forwarded-for': `10.0.${address}.1` },
    });

  test('only the link of the same mail works, and the owner can still log in', async () => {
    const ada = await server.signUp();
    const { email } = ada.user;
    const code = await spendTries(email);
    const refused = await verify(email, code);
    expect(await refused.json()).toMatchObject({ status: 400, code: 'code_link_only', message: expect.stringContaining('link') });
    expect((await login(email, PASSWORD)).status).toBe(200);
    expect(await profile(ada)).toBe(200);

    const token = await linkTo(email);
    expect(Buffer.from(token, 'base64url').length).toBeGreaterThanOrEqual(16);
    const looked = await page(token);
    expect([looked.status, looked.headers.get('referrer-policy')]).toEqual([200, 'no-referrer']);
    expect(await looked.text()).toContain('autocomplete="new-password"');
    const weak = await page(token, 'short');
    expect([weak.status, await weak.text()]).toEqual([400, expect.stringContaining('Password must have at least 6 characters')]);
    expect((await page(token, NEW_PASSWORD)).status).toBe(200);

    expect((await login(email, NEW_PASSWORD)).status).toBe(200);
    expect(await profile(ada)).toBe(401);
    expect((await subjects(email))[0]).toBe('Your Tidemark password was changed');
    expect((await page(token, 'Third-1234')).status).toBe(404);
    expect((await page(token)).status).toBe(404);
  });

  test('a link is good once, also for two clicks at once', async () => {
    const { user } = await server.signUp();
    await spendTries(user.email);
    const token = await linkTo(user.email);
    const clicks = await Promise.all(['First-1234', 'Second-1234'].map((password) => page(token, password)));
    expect(clicks.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  test('asking again mails a further link alone, which ends after a day; the one before stays good', async () => {
    const { user } = await server.signUp();
    await spendTries(user.email);
    const first = await linkTo(user.email);
    await forgot(user.email);
    await server.settled();
    const second = await linkTo(user.email);
    expect(second).not.toBe(first);
    expect((await lettersTo(server.dataDir, user.email))[0]?.text).not.toMatch(/^\d{4}$/m);
    expect((await page(first)).status).toBe(200);
    now = NOON + DAY - 1;
    expect((await page(second)).status).toBe(200);
    now = NOON + DAY;
    expect((await page(second, NEW_PASSWORD)).status).toBe(404);
    expect((await reset(user.email, await grantFor(user.email))).status).toBe(200);
  });

  test('a link to set a password verifies no address', async () => {
    const { user } = await server.signUp();
    await spendTries(user.email);
    const token = await linkTo(user.email);
    const asVerification = await fetch(`${server.url}/api/auth/verify-link/${token}`, {
      method: 'POST',
      body: new URLSearchParams(),
      headers: { 'x-forwarded-for': `10.0.${address}.1` },
    });
    expect(asVerification.status).toBe(404);
  });
});

test('guessing 20 times at verification codes of a verified account mails its owner a link to set a password', async () => {
  const { user } = await server.signUp();
  for (let tries = 1; tries <= 20; tries++) {
    if (tries % 5 === 1) {
      await post('resend-verification-code', { email: user.email });
      await server.settled();
    }
    // A resend to a verified user stores a code that no guess matches.
    expect((await post('verify-otp', { email: user.email, recoveryCode: '1234' })).status).toBe(400);
  }
  expect((await subjects(user.email))[0]).toBe('Set a new Tidemark password by link');
});

test('a password change during a sign-in with the old password refuses that sign-in', async () => {
  const { user } = await server.signUp();
  const grant = await grantFor(user.email);
  const [old] = await Promise.all([login(user.email, PASSWORD), reset(user.email, grant)]);
  if (old.status !== 200) return expect(old.status).toBe(400);
  const { refreshToken } = (await old.json()).data;
  expect((await post('refresh-token', { refreshToken })).status).toBe(403);
});
