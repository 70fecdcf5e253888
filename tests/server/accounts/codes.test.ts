import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { registerAnswer } from '#contract/account/account.ts';
import { DAY, MINUTE } from '#domain/clock.ts';
import { lettersTo, otherThan } from '#tests/support/mail/letters.ts';
import { PASSWORD, startServer, type TestServer } from '#tests/support/server/server.ts';

const NOON = Date.UTC(2026, 2, 1, 12);
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

async function register() {
  const email = `${randomUUID()}@example.com`;
  const body = { first_name: 'Ada', last_name: 'Lovelace', email, country: '', password: PASSWORD };
  const { data } = registerAnswer.parse(await (await server.post('/auth/register/', body)).json());
  return { email, registration: data[0]?.id, code: await server.mail(email) };
}

const from = () => ({ 'x-forwarded-for': `10.0.${address}.1` });
const verify = (email: string, recoveryCode: string, registration?: string) =>
  server.post('/auth/verify-otp/', { email, recoveryCode, registration }, from());
const resend = (email: string) => server.post('/auth/resend-verification-code/', { email }, from());

async function codeOf(response: Response) {
  const body = await response.json();
  expect(body).toEqual({ status: response.status, code: expect.any(String), message: expect.any(String) });
  return `${response.status} ${body.code}`;
}

describe('a code', () => {
  test('is four digits and lives 180 seconds', async () => {
    const late = await register();
    expect(late.code).toMatch(/^\d{4}$/);
    const inTime = await register();
    now = NOON + 3 * MINUTE - 1;
    expect((await verify(inTime.email, inTime.code)).status).toBe(200);
    now = NOON + 3 * MINUTE;
    expect(await codeOf(await verify(late.email, late.code))).toBe('400 code_expired');
  });

  test('is locked after 5 wrong tries, for the right code too, until a new one is asked for', async () => {
    const { email, code } = await register();
    for (let tries = 1; tries <= 4; tries++) expect(await codeOf(await verify(email, otherThan(code)))).toBe('400 code_wrong');
    expect(await codeOf(await verify(email, otherThan(code)))).toBe('400 code_locked');
    expect(await codeOf(await verify(email, code))).toBe('400 code_locked');

    expect((await resend(email)).status).toBe(200);
    expect((await verify(email, await server.mail(email))).status).toBe(200);
  });

  test('counts tries that arrive at once', async () => {
    const { email, code } = await register();
    await Promise.all(Array.from({ length: 8 }, () => verify(email, otherThan(code))));
    expect(await codeOf(await verify(email, code))).toBe('400 code_locked');
  });

  test('is void once a newer one is mailed', async () => {
    const { email, code } = await register();
    await resend(email);
    const newer = await server.mail(email);
    if (newer !== code) expect(await codeOf(await verify(email, code))).toBe('400 code_wrong');
    expect((await verify(email, newer)).status).toBe(200);
  });

  test('is used up by its first use; only the device that signed up may repeat it, because its answer can get lost', async () => {
    const { email, registration, code } = await register();
    expect((await verify(email, code, registration)).status).toBe(200);
    expect(await codeOf(await verify(email, code))).toBe('400 code_expired');
    expect((await verify(email, code, registration)).status).toBe(200);
    expect(await codeOf(await verify(email, otherThan(code), registration))).toBe('400 code_expired');
    now = NOON + 3 * MINUTE;
    expect(await codeOf(await verify(email, code, registration))).toBe('400 code_expired');
  });

  test('is used up by one of several uses at once', async () => {
    const { email, code } = await register();
    const answers = await Promise.all(Array.from({ length: 5 }, () => verify(email, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  });

  test('looks the same for an address without an account, however it is tried', async () => {
    const { email } = await register();
    const unknownEmail = `${randomUUID()}@example.com`;
    const story = async (asked: string, guess: () => Promise<string>) => {
      const answers = [await resend(asked)];
      const code = await guess();
      for (let tries = 1; tries <= 6; tries++) answers.push(await verify(asked, code));
      return Promise.all(answers.map((answer) => answer.text()));
    };
    const known = await story(email, async () => otherThan(await server.mail(email)));
    expect(await story(unknownEmail, async () => server.settled().then(() => '1234'))).toEqual(known);
    expect(await lettersTo(server.dataDir, unknownEmail)).toEqual([]);
  });

  test.each(['123', '12345', 'abcd', '12 4', '', 1234, null])('%j is no code at all', async (recoveryCode) => {
    const response = await server.post('/auth/verify-otp/', { email: 'ada@example.com', recoveryCode });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'validation', detail: { fields: { recoveryCode: expect.any(String) } } });
  });
});

describe('asking for a new code', () => {
  test('answers the same whether the account exists or not', async () => {
    const { email } = await register();
    const known = await resend(email);
    const unknown = await resend('stranger@example.com');
    expect([known.status, await known.json()]).toEqual([unknown.status, await unknown.json()]);
    await server.mail(email);
    expect(await lettersTo(server.dataDir, 'stranger@example.com')).toEqual([]);
  });

  test('tells someone who is verified so, by mail', async () => {
    const { user } = await server.signUp();
    await resend(user.email);
    await expect.poll(() => lettersTo(server.dataDir, user.email)).toHaveLength(1);
    const [letter] = await lettersTo(server.dataDir, user.email);
    expect(letter?.text).toContain('already verified');
    expect(letter?.text).not.toMatch(/^\d{4}$/m);
  });
});

describe('after 20 wrong tries in a day', () => {
  async function spendTries() {
    const { email, code } = await register();
    let current = code;
    for (let tries = 1; tries <= 20; tries++) {
      const refusal = await codeOf(await verify(email, otherThan(current)));
      if (tries === 20) expect(refusal).toBe('400 code_blocked');
      if (tries % 5 === 0 && tries < 20) {
        expect(refusal).toBe('400 code_locked');
        await resend(email);
        current = await server.mail(email);
      }
    }
    await expect.poll(() => linkTo(email)).toBeDefined();
    return { email, code: current };
  }

  const linkTo = async (email: string) => (await lettersTo(server.dataDir, email))[0]?.text.match(/^https?:.+\/(\S+)$/m)?.[1];
  const page = (token: string, method: string) =>
    fetch(`${server.url}/api/auth/verify-link/${token}`, {
      method,
      headers: method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {},
    });
  const login = (email: string) => server.post('/auth/login/', { email, password: PASSWORD });

  test('codes are off, and the mailed link helps', async () => {
    const { email, code } = await spendTries();
    expect(await codeOf(await verify(email, code))).toBe('400 code_blocked');

    // Opening the link changes nothing, because mail scanners open links too.
    const token = (await linkTo(email)) ?? '';
    const looked = await page(token, 'GET');
    expect(looked.headers.get('referrer-policy')).toBe('no-referrer');
    expect(looked.headers.get('content-type')).toContain('text/html');
    expect(await looked.text()).toContain('<form method="post">');
    expect((await login(email)).status).toBe(400);

    expect((await page(token, 'POST')).status).toBe(200);
    expect((await login(email)).status).toBe(200);
  });

  test('another request mails a further link instead of a code, and one use ends them all', async () => {
    const { email } = await spendTries();
    const first = (await linkTo(email)) ?? '';
    await resend(email);
    await expect.poll(() => linkTo(email)).not.toBe(first);
    const [letter] = await lettersTo(server.dataDir, email);
    expect(letter?.text).not.toMatch(/^\d{4}$/m);
    expect((await page(first, 'POST')).status).toBe(200);
    expect((await page(first, 'POST')).status).toBe(404);
    expect((await page((await linkTo(email)) ?? '', 'POST')).status).toBe(404);
  });

  test('a link ends after a day, and codes come back with the next one', async () => {
    const { email } = await spendTries();
    const token = (await linkTo(email)) ?? '';
    now = NOON + DAY;
    expect((await page(token, 'POST')).status).toBe(404);
    await resend(email);
    expect((await verify(email, await server.mail(email))).status).toBe(200);
  });

  test('a link accepts only short forms', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const refused = await fetch(`${server.url}/api/auth/verify-link/nothing`, { method: 'POST', headers, body: 'a'.repeat(5000) });
    expect([refused.status, (await refused.json()).code]).toEqual([413, 'too_large']);
    expect((await page('x'.repeat(101), 'GET')).status).toBe(400);
  });

  test('a link that never was is refused', async () => {
    for (const method of ['GET', 'POST']) {
      const refused = await page('nothing', method);
      expect([refused.status, await refused.text()]).toEqual([404, expect.stringContaining('This link is no longer valid')]);
    }
  });
});
