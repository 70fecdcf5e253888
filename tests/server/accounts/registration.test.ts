import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerAnswer } from '#contract/account/account.ts';
import { MESSAGES } from '#contract/account/account-rules.ts';
import { accessClaims, tokensAnswer } from '#contract/account/tokens.ts';
import { codes } from '#server/db/schema/codes.ts';
import { registrations } from '#server/db/schema/users.ts';
import { lettersTo } from '#tests/support/mail/letters.ts';
import { PASSWORD, startServer, type TestServer } from '#tests/support/server/server.ts';

let server: TestServer;
const log: string[] = [];

beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'trace' }, logTo: { write: (line) => log.push(line) } });
});
afterAll(() => server.close());

const newEmail = () => `${randomUUID()}@example.com`;
const form = (changes: Record<string, unknown> = {}) => ({
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: newEmail(),
  country: '',
  password: PASSWORD,
  ...changes,
});

describe('signing up', () => {
  test('goes from the form over the mailed code to a session', async () => {
    const body = form();
    const registered = await server.post('/auth/register/', body);
    expect(registered.status).toBe(201);
    const { data } = registerAnswer.parse(await registered.json());
    expect(data).toEqual([{ id: expect.any(String), email: body.email }]);

    const early = await server.post('/auth/login/', { email: body.email, password: PASSWORD });
    expect(early.status).toBe(400);
    expect(await early.json()).toMatchObject({ status: 400, code: 'not_verified', detail: { isVerified: 2 } });

    const verified = await server.post('/auth/verify-otp/', { email: body.email, recoveryCode: await server.mail(body.email) });
    expect(verified.status).toBe(200);
    expect(await verified.json()).toMatchObject({ status: 200, message: expect.any(String) });

    const login = await server.post('/auth/login/', { email: body.email, password: PASSWORD });
    const { accessToken } = tokensAnswer.parse(await login.json()).data;
    const claims = accessClaims.parse(decodeJwt(accessToken));
    expect(claims).toMatchObject({ sub: data[0]?.id, email: body.email, first_name: 'Ada', last_name: 'Lovelace' });
    expect(claims.exp - claims.iat).toBe(15 * 60);
  });

  test('mails the code alone on its line, and keeps code and password out of the database and the log', async () => {
    const body = form({ password: 'Unmistakable-9' });
    await server.post('/auth/register/', body);
    const code = await server.mail(body.email);
    const [letter] = await lettersTo(server.dataDir, body.email);
    expect(letter?.text.split(/\r?\n/)).toContain(code);

    const [waiting] = await server.db.select().from(registrations).where(eq(registrations.email, body.email));
    expect(waiting?.passwordHash).toMatch(/^\$argon2id\$/);
    const [stored] = await server.db
      .select()
      .from(codes)
      .where(eq(codes.userId, waiting?.id ?? ''));
    expect(stored?.codeHash).toMatch(/^[\w-]{43}$/);

    await server.post('/auth/verify-otp/', { email: body.email, recoveryCode: code });
    const login = tokensAnswer.parse(await (await server.post('/auth/login/', { email: body.email, password: body.password })).json());
    await server.post('/auth/refresh-token/', { refreshToken: login.data.refreshToken });
    const logged = log.join('');
    expect(logged).toContain('/auth/verify-otp');
    expect(logged).toContain('.eml');
    for (const secret of [body.password, login.data.accessToken, login.data.refreshToken, body.email]) expect(logged).not.toContain(secret);
    expect(log.map((line) => JSON.parse(line)).filter((line) => line.msg === 'answered')[0]).toMatchObject({ reqId: expect.any(String) });
    expect(logged).not.toMatch(new RegExp(`"[^"]*\\b(code|otp)[^"]*":"?${code}`, 'i'));
  });

  test('takes any case and outer spaces of an address as the same one', async () => {
    const email = newEmail();
    await server.post('/auth/register/', form({ email: `  ${email.toUpperCase()} ` }));
    const verified = await server.post('/auth/verify-otp/', { email: email.toUpperCase(), recoveryCode: await server.mail(email) });
    expect(verified.status).toBe(200);
    const login = await server.post('/auth/login/', { email, password: PASSWORD });
    expect(login.status).toBe(200);
  });

  test('refuses an address that is verified already', async () => {
    const { user } = await server.signUp();
    const again = await server.post('/auth/register/', form({ email: user.email.toUpperCase(), password: 'Another-1' }));
    expect(again.status).toBe(400);
    expect(await again.json()).toMatchObject({ code: 'email_taken', message: expect.stringContaining('already exists') });
    expect((await server.post('/auth/login/', { email: user.email, password: PASSWORD })).status).toBe(200);
  });

  test.each([
    ['first_name', '', MESSAGES.firstNameRequired],
    ['first_name', '   ', MESSAGES.firstNameRequired],
    ['first_name', 7, MESSAGES.firstNameRequired],
    ['first_name', undefined, MESSAGES.firstNameRequired],
    ['last_name', '', MESSAGES.lastNameRequired],
    ['email', '', MESSAGES.emailRequired],
    ['email', 'unknown', MESSAGES.emailFormat],
    ['email', 'no@dot', MESSAGES.emailFormat],
    ['email', 'two@example.com,three@example.com', MESSAGES.emailFormat],
    ['email', '<two@example.com>', MESSAGES.emailFormat],
    ['password', '', MESSAGES.passwordRequired],
    ['password', 'Ab1', MESSAGES.passwordRule],
    ['password', 'alllower1', MESSAGES.passwordRule],
    ['password', 'ALLUPPER1', MESSAGES.passwordRule],
    ['password', 'NoDigitHere', MESSAGES.passwordRule],
  ])('refuses %s %j with the words of the form', async (field, value, message) => {
    const response = await server.post('/auth/register/', form({ [field]: value }));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ status: 400, code: 'validation', message, detail: { fields: { [field]: message } } });
  });

  test('names every wrong field', async () => {
    const response = await server.post('/auth/register/', { email: 'x', password: 'y' });
    const { detail } = await response.json();
    expect(Object.keys(detail.fields).sort()).toEqual(['country', 'email', 'first_name', 'last_name', 'password']);
  });
});

test('a mail server that is down is said, and the registration can be repeated', async () => {
  let down = true;
  const sent: string[] = [];
  const mail = {
    send: async ({ text }: { text: string }) => {
      if (down) throw new Error('connection refused');
      sent.push(text);
      return 'test';
    },
    close: () => undefined,
  };
  const frail = await startServer({ mail });
  try {
    const body = form();
    const failed = await frail.post('/auth/register/', body);
    expect(failed.status).toBe(503);
    expect(await failed.json()).toMatchObject({ status: 503, code: 'mail_unavailable' });
    down = false;
    expect((await frail.post('/auth/register/', body)).status).toBe(201);
    expect(sent).toHaveLength(1);
  } finally {
    await frail.close();
  }
});

test('a failure of our own tells neither the caller nor the log what was sent', async () => {
  const lines: string[] = [];
  const broken = await startServer({ env: { LOG_LEVEL: 'info' }, logTo: { write: (line) => lines.push(line) } });
  try {
    await broken.db.execute(sql`alter table users rename to lost`);
    const body = form({ first_name: 'Unmistakable' });
    const response = await broken.post('/auth/register/', body);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ status: 500, code: 'internal', message: expect.any(String) });
    const failure = lines.map((line) => JSON.parse(line)).find((line) => line.msg === 'request failed');
    expect(failure).toMatchObject({ reqId: response.headers.get('x-request-id'), err: { message: expect.stringContaining('users') } });
    for (const secret of [body.email, 'Unmistakable', '$argon2']) expect(lines.join('')).not.toContain(secret);
  } finally {
    await broken.close();
  }
});
