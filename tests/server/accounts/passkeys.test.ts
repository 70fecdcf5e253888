import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_PASSKEY_NAME, MAX_PASSKEYS } from '#contract/account/passkeys.ts';
import { tokensAnswer } from '#contract/account/tokens.ts';
import { DAY, MINUTE } from '#domain/clock.ts';
import { notifications } from '#server/db/schema/notifications.ts';
import { passkeyChallenges, passkeys } from '#server/db/schema/passkeys.ts';
import { sessions } from '#server/db/schema/sessions.ts';
import { users } from '#server/db/schema/users.ts';
import { tidy } from '#server/housekeeping/tidy.ts';
import { passkeyCaller } from '#tests/support/accounts/passkeys.ts';
import { type Changes, softwareAuthenticator } from '#tests/support/accounts/software-authenticator.ts';
import { lettersTo } from '#tests/support/mail/letters.ts';
import { startPostgres } from '#tests/support/processes/postgres.ts';
import { PASSWORD, type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const START = Date.UTC(2026, 2, 1, 12);
const ORIGIN = 'https://app.example.com';
const REFUSED = { status: 400, body: { code: 'passkey_refused' } };
const EXPIRED = { status: 400, body: { code: 'passkey_expired' } };
let now = START;
let server: TestServer;
let ada: SignedUp;
let at: ReturnType<typeof passkeyCaller>;
let log: Record<string, unknown>[] = [];

beforeAll(async () => {
  server = await startServer({
    clock: () => now,
    env: { TRUST_PROXY: 'on', LOG_LEVEL: 'info', PUBLIC_URL: ORIGIN, TEST_STORE: 'off' },
    logTo: { write: (line) => log.push(JSON.parse(line)) },
  });
  at = passkeyCaller(server);
});
beforeEach(async () => {
  now = START;
  ada = await server.signUp();
  log = [];
});
afterAll(() => server?.close());

const audited = () => log.filter(({ audit }) => audit !== undefined).map(({ audit, about }) => [audit, about]);
const noticesOf = async (userId: string) =>
  (await server.db.select().from(notifications).where(eq(notifications.userId, userId))).map(({ text }) => text);
const mailTo = async (email: string) => {
  await server.settled();
  return lettersTo(server.dataDir, email);
};
const subjectsTo = async (email: string) => (await mailTo(email)).map(({ subject }) => subject);
const setPassword = (who: SignedUp, password: string) =>
  fetch(`${server.url}/api/auth/user/${who.user.id}/`, {
    method: 'PATCH',
    headers: { authorization: who.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: who.user.id, password }),
  });

describe('adding a passkey', () => {
  test('asks for a discoverable, verified one without attestation, for the host of PUBLIC_URL', async () => {
    const options = await at.creationOptions(ada.authorization);
    expect(options).toMatchObject({
      rp: { id: 'app.example.com', name: 'Tidemark' },
      user: { name: ada.user.email, displayName: ada.user.email },
      attestation: 'none',
      timeout: 5 * MINUTE,
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    });
    expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32);
    const handle = Buffer.from(options.user.id, 'base64url');
    expect(handle).toHaveLength(32);
    expect(handle.toString('latin1')).not.toContain(ada.user.id);
    expect((await at.creationOptions(ada.authorization)).user.id).toBe(options.user.id);
    const { authenticator } = await at.add(ada.authorization);
    expect((await at.creationOptions(ada.authorization)).excludeCredentials).toEqual([
      { id: authenticator.id, type: 'public-key', transports: ['internal'] },
    ]);
  });

  test('names it by the browser, lists it, and tells the user in the app, by mail and in the audit', async () => {
    const { passkey } = await at.add(ada.authorization);
    expect(passkey).toEqual({
      id: expect.any(String),
      name: 'Chrome on Linux',
      created_at: new Date(START).toISOString(),
      last_used_at: null,
      synced: false,
    });
    expect(await at.list(ada.authorization)).toEqual([passkey]);
    expect(await noticesOf(ada.user.id)).toEqual([expect.stringContaining('A passkey was added')]);
    expect(await subjectsTo(ada.user.email)).toEqual([expect.stringContaining('passkey was added')]);
    expect(audited()).toEqual([['passkey-added', undefined]]);
  });

  test('needs a recent password, so that a borrowed phone leaves none behind', async () => {
    now += 10 * MINUTE;
    expect(await at.call('POST', '/options', { as: ada.authorization })).toMatchObject({
      status: 403,
      body: { code: 're_authentication_required' },
    });
    await server.post('/auth/re-authenticate/', { password: PASSWORD }, { authorization: ada.authorization });
    expect((await at.add(ada.authorization)).passkey.name).toBe('Chrome on Linux');
  });

  test('answers a repeated request with the stored one', async () => {
    const authenticator = softwareAuthenticator(ORIGIN);
    const credential = authenticator.create(await at.creationOptions(ada.authorization));
    const send = () => at.call('POST', '', { as: ada.authorization, body: { credential } });
    const first = await send();
    expect(await send()).toEqual(first);
    expect(await at.list(ada.authorization)).toHaveLength(1);
    expect(await subjectsTo(ada.user.email)).toHaveLength(1);
  });

  const wrong: [name: string, changes: Changes][] = [
    ['another origin', { origin: 'https://evil.example' }],
    ['another port', { origin: `${ORIGIN}:444` }],
    ['a subdomain', { origin: 'https://x.app.example.com' }],
    ['another host', { rpId: 'example.com' }],
    ['the type of a sign-in', { type: 'webauthn.get' }],
    ['no verified user', { flags: 1 | 64 }],
    ['no present user', { flags: 4 | 64 }],
    ['no key', { flags: 5 }],
    ['an algorithm that we did not offer', { algorithm: -37 }],
    ['a statement with certificates', { format: 'packed', statement: [['x5c', Buffer.alloc(40)]] }],
    ['a statement of Android', { format: 'android-safetynet', statement: [['ver', '1']] }],
    ['an unknown format', { format: 'x' }],
  ];
  test.each(wrong)('refuses %s', async (_name, changes) => {
    const credential = softwareAuthenticator(ORIGIN).create(await at.creationOptions(ada.authorization), changes);
    expect(await at.call('POST', '', { as: ada.authorization, body: { credential } })).toMatchObject(REFUSED);
    expect(await at.list(ada.authorization)).toEqual([]);
  });

  test('takes a challenge once, within five minutes, from its own session, for its own purpose', async () => {
    const bob = await server.signUp();
    const add = async (as: string, challenge?: string) => {
      const options = await at.creationOptions(ada.authorization);
      const credential = softwareAuthenticator(ORIGIN).create({ ...options, challenge: challenge ?? options.challenge });
      return at.call('POST', '', { as, body: { credential } });
    };
    const { challenge } = await at.creationOptions(ada.authorization);
    expect(await add(bob.authorization, challenge)).toMatchObject(EXPIRED);
    expect((await add(ada.authorization, challenge)).status).toBe(201);
    expect(await add(ada.authorization, challenge)).toMatchObject(EXPIRED);
    expect(await add(ada.authorization, 'a'.repeat(43))).toMatchObject(EXPIRED);
    expect(await add(ada.authorization, (await at.signInOptions()).challenge)).toMatchObject(EXPIRED);
    const late = await at.creationOptions(ada.authorization);
    now += 5 * MINUTE;
    const credential = softwareAuthenticator(ORIGIN).create(late);
    expect(await at.call('POST', '', { as: ada.authorization, body: { credential } })).toMatchObject(EXPIRED);
  });

  test('of another user is refused', async () => {
    const { authenticator } = await at.add(ada.authorization);
    const bob = await server.signUp();
    const credential = authenticator.create(await at.creationOptions(bob.authorization));
    expect(await at.call('POST', '', { as: bob.authorization, body: { credential } })).toMatchObject({
      status: 409,
      body: { code: 'passkey_known' },
    });
  });

  test(`ends at ${MAX_PASSKEYS}, also for requests at once`, async () => {
    const one = { userId: ada.user.id, publicKey: Buffer.from('key'), name: 'One' };
    const rows = Array.from({ length: MAX_PASSKEYS - 1 }, (_, place) => ({ ...one, credentialId: `${ada.user.id}-${place}` }));
    await server.db.insert(passkeys).values(rows);
    const credentials = [];
    for (let count = 0; count < 3; count++)
      credentials.push(softwareAuthenticator(ORIGIN).create(await at.creationOptions(ada.authorization)));
    const answers = await Promise.all(
      credentials.map((credential) => at.call('POST', '', { as: ada.authorization, body: { credential } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    expect(await at.list(ada.authorization)).toHaveLength(MAX_PASSKEYS);
    expect(await at.call('POST', '/options', { as: ada.authorization })).toMatchObject({ status: 400, body: { code: 'passkeys_full' } });
  });
});

describe('signing in by a passkey', () => {
  test('opens a session like the password, with its notice and audit, and stores the use', async () => {
    const { authenticator } = await at.add(ada.authorization);
    now += DAY;
    log = [];
    const { status, body } = await at.signIn(authenticator);
    expect(status).toBe(200);
    const { accessToken, refreshToken } = tokensAnswer.parse(body).data;
    expect((await at.list(`Bearer ${accessToken}`))[0]?.last_used_at).toBe(new Date(now).toISOString());
    expect((await server.post('/auth/refresh-token/', { refreshToken })).status).toBe(200);
    expect(await noticesOf(ada.user.id)).toContainEqual(expect.stringContaining('A new device signed in'));
    expect(audited()).toEqual([['sign-in', 'passkey']]);
    // It counts as a recent confirmation.
    expect((await setPassword({ ...ada, authorization: `Bearer ${accessToken}` }, 'Another-1234')).status).toBe(200);
  });

  test('asks everyone the same, so that it reveals no account', async () => {
    const [first, second] = [await at.signInOptions(), await at.signInOptions()];
    expect(first).toEqual({
      ...{ challenge: expect.any(String), rpId: 'app.example.com' },
      ...{ timeout: 5 * MINUTE, userVerification: 'required', allowCredentials: [] },
    });
    expect({ ...second, challenge: first.challenge }).toEqual(first);
    expect(second.challenge).not.toBe(first.challenge);
    const unknown = softwareAuthenticator(ORIGIN);
    unknown.userHandle = 'AAAA';
    const { authenticator } = await at.add(ada.authorization);
    expect(await at.signIn(unknown)).toEqual(await at.signIn(authenticator, { signature: () => Buffer.from('none') }));
  });

  const wrong: [name: string, changes: Changes][] = [
    ['another origin', { origin: 'https://evil.example' }],
    ['plain HTTP', { origin: 'http://app.example.com' }],
    ['another host', { rpId: 'evil.example' }],
    ['the type of a new passkey', { type: 'webauthn.create' }],
    ['no verified user', { flags: 1 }],
    ['no present user', { flags: 4 }],
    ['a signature of something else', { signature: (data) => data }],
    ['no user handle', { userHandle: null }],
    ['another user handle', { userHandle: Buffer.alloc(32).toString('base64url') }],
  ];
  test.each(wrong)('refuses %s', async (_name, changes) => {
    const { authenticator } = await at.add(ada.authorization);
    log = [];
    expect(await at.signIn(authenticator, changes)).toMatchObject(REFUSED);
    expect(audited()).toEqual([['sign-in-refused', 'passkey, unknown or invalid']]);
    expect(await server.db.$count(sessions, eq(sessions.userId, ada.user.id))).toBe(1);
  });

  test('takes a challenge once: a replay is refused, and of ten at once one signs in', async () => {
    const { authenticator } = await at.add(ada.authorization);
    const credential = authenticator.get(await at.signInOptions());
    const answers = await Promise.all(Array.from({ length: 10 }, () => at.send(credential)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expect(answer).toMatchObject(EXPIRED);
    const late = authenticator.get(await at.signInOptions());
    now += 5 * MINUTE;
    expect(await at.send(late)).toMatchObject(EXPIRED);
    const other = authenticator.get({
      ...(await at.signInOptions()),
      challenge: (await at.creationOptions((await renewed()).authorization)).challenge,
    });
    expect(await at.send(other)).toMatchObject(EXPIRED);
  });

  test('uses a challenge up also when the passkey is refused', async () => {
    const { authenticator } = await at.add(ada.authorization);
    const options = await at.signInOptions();
    expect(await at.send(authenticator.get(options, { origin: 'https://evil.example' }))).toMatchObject(REFUSED);
    expect(await at.send(authenticator.get(options))).toMatchObject(EXPIRED);
  });

  test('refuses a counter that does not rise, and tells the user that the passkey may be copied', async () => {
    const { authenticator } = await at.add(ada.authorization, { counts: true });
    expect((await at.signIn(authenticator)).status).toBe(200);
    expect((await at.signIn(authenticator)).status).toBe(200);
    log = [];
    for (const counter of [2, 1, 0]) expect(await at.signIn(authenticator, { counter })).toMatchObject(REFUSED);
    expect(audited().slice(0, 2)).toEqual([
      ['passkey-copied', undefined],
      ['sign-in-refused', 'passkey, counter'],
    ]);
    expect(await noticesOf(ada.user.id)).toContainEqual(expect.stringContaining('may have been copied'));
    expect(await subjectsTo(ada.user.email)).toContainEqual(expect.stringContaining('was refused'));
    expect((await at.signIn(authenticator, { counter: 9 })).status).toBe(200);
  });

  test('with one counter twice at once signs in once', async () => {
    const { authenticator } = await at.add(ada.authorization, { counts: true });
    const credentials = [];
    for (let count = 0; count < 4; count++) credentials.push(authenticator.get(await at.signInOptions(), { counter: 5 }));
    const answers = await Promise.all(credentials.map((credential) => at.send(credential)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('is refused for an account that is being deleted, and after its deletion', async () => {
    const { authenticator } = await at.add(ada.authorization);
    await server.db
      .update(users)
      .set({ erasingAt: new Date(now) })
      .where(eq(users.id, ada.user.id));
    expect(await at.signIn(authenticator)).toMatchObject({ status: 403, body: { code: 'account_erased' } });
    await server.db.delete(users).where(eq(users.id, ada.user.id));
    expect(await at.signIn(authenticator)).toMatchObject(REFUSED);
  });

  test('is limited by network and passkey as a password is, and leaves other networks open', async () => {
    const { authenticator } = await at.add(ada.authorization);
    const statuses = [];
    for (let count = 0; count < 21; count++)
      statuses.push((await at.send(authenticator.get(await at.signInOptions(), { origin: 'https://evil.example' }), '203.0.113.9')).status);
    expect(statuses).toEqual([...Array(20).fill(400), 429]);
    expect((await at.signIn(authenticator)).status).toBe(200);
  });

  const credentialOf = async (change: object) => {
    const { authenticator } = await at.add(ada.authorization);
    const credential = authenticator.get(await at.signInOptions());
    return { ...credential, response: { ...credential.response, ...change } };
  };
  test.each([
    ['no client data', { clientDataJSON: '' }],
    ['client data that is no JSON', { clientDataJSON: 'AAAA' }],
    ['client data with a long challenge', { clientDataJSON: Buffer.from(`{"challenge":"${'x'.repeat(2_000)}"}`).toString('base64url') }],
    ['client data with a list', { clientDataJSON: Buffer.from('[]').toString('base64url') }],
    ['no base64url', { signature: '<script>' }],
    ['8 KB', { authenticatorData: 'A'.repeat(8_000) }],
    ['100 KB', { signature: 'A'.repeat(100_000) }],
    ['short data', { authenticatorData: 'AAAA' }],
    ['a number', { signature: 1 }],
  ])('answers 400 to %s', async (_name, change) => {
    const credential = await credentialOf(change);
    expect((await at.call('POST', '/sign-in', { body: { credential } })).status).toBe(400);
  });
});

const renewed = async (): Promise<SignedUp> => {
  const response = await server.post('/auth/login/', { email: ada.user.email, password: PASSWORD }, { 'x-forwarded-for': '192.0.2.7' });
  const tokens = tokensAnswer.parse(await response.json()).data;
  return { ...ada, tokens, authorization: `Bearer ${tokens.accessToken}` };
};

describe('confirming by a passkey', () => {
  async function borrowed() {
    const { authenticator } = await at.add(ada.authorization);
    const phone = await renewed();
    now += 11 * MINUTE;
    return { phone, authenticator };
  }
  const confirm = (as: string, credential: unknown) => at.call('POST', '/confirm', { as, body: { credential } });

  test('counts like the password, for its own session, and is audited', async () => {
    const { phone, authenticator } = await borrowed();
    expect((await setPassword(phone, 'Another-1234')).status).toBe(403);
    log = [];
    const credential = await at.confirmation(phone.authorization, authenticator);
    expect(await confirm(ada.authorization, credential)).toMatchObject(EXPIRED);
    expect((await confirm(phone.authorization, credential)).status).toBe(200);
    expect(audited()).toEqual([['re-authentication', 'passkey']]);
    expect((await setPassword(ada, 'Another-1234')).status).toBe(403);
    expect((await setPassword(phone, 'Another-1234')).status).toBe(200);
    expect(await confirm(phone.authorization, credential)).toMatchObject(EXPIRED);
  });

  test('names the user’s passkeys only, and none without one', async () => {
    const { phone, authenticator } = await borrowed();
    const { body } = await at.call('POST', '/confirm-options', { as: phone.authorization });
    expect(body.data).toMatchObject({ allowCredentials: [{ id: authenticator.id }] });
    const bob = await server.signUp();
    expect((await at.call('POST', '/confirm-options', { as: bob.authorization })).body).toEqual({ status: 200, data: null });
  });

  test('refuses another user’s passkey, a challenge of a sign-in, and a wrong origin', async () => {
    const { phone, authenticator } = await borrowed();
    const bob = await server.signUp();
    const { authenticator: other } = await at.add(bob.authorization);
    expect(await confirm(phone.authorization, await at.confirmation(phone.authorization, other))).toMatchObject(REFUSED);
    expect(await confirm(phone.authorization, authenticator.get(await at.signInOptions()))).toMatchObject(EXPIRED);
    const options = (await at.call('POST', '/confirm-options', { as: phone.authorization })).body.data as {
      challenge: string;
      rpId: string;
    };
    expect(await confirm(phone.authorization, authenticator.get(options, { origin: 'https://evil.example' }))).toMatchObject(REFUSED);
    expect(
      await at.send(authenticator.get((await at.call('POST', '/confirm-options', { as: phone.authorization })).body.data as never)),
    ).toMatchObject(EXPIRED);
    expect((await setPassword(phone, 'Another-1234')).status).toBe(403);
  });
});

describe('the list', () => {
  test('renames and removes a passkey of the user alone', async () => {
    const { passkey, authenticator } = await at.add(ada.authorization);
    const path = `/${passkey.id}/`;
    const bob = await server.signUp();
    expect((await at.call('PATCH', path, { as: bob.authorization, body: { name: 'Mine' } })).status).toBe(404);
    expect((await at.call('DELETE', path, { as: bob.authorization })).status).toBe(404);
    expect((await at.call('PATCH', path, { as: ada.authorization, body: { name: ' My phone ' } })).body.data).toMatchObject({
      name: 'My phone',
    });
    for (const name of ['', 'x'.repeat(MAX_PASSKEY_NAME + 1), 'a\nb', 'evil.com', 'x'.repeat(100_000), 1, null])
      expect((await at.call('PATCH', path, { as: ada.authorization, body: { name } })).status, String(name).slice(0, 20)).toBe(400);
    log = [];
    expect((await at.call('DELETE', path, { as: ada.authorization })).status).toBe(200);
    expect(await at.list(ada.authorization)).toEqual([]);
    expect(audited()).toEqual([['passkey-removed', undefined]]);
    expect(await noticesOf(ada.user.id)).toContainEqual(expect.stringContaining('A passkey was removed'));
    expect(await subjectsTo(ada.user.email)).toContainEqual(expect.stringContaining('passkey was removed'));
    expect(await at.signIn(authenticator)).toMatchObject(REFUSED);
    expect((await at.call('DELETE', path, { as: ada.authorization })).status).toBe(404);
    expect(
      (await server.post('/auth/login/', { email: ada.user.email, password: PASSWORD }, { 'x-forwarded-for': '192.0.2.8' })).status,
    ).toBe(200);
  });

  test('needs a token', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['POST', '/options'],
      ['POST', '/confirm-options'],
      ['POST', '/confirm'],
    ] as const)
      expect((await at.call(method, path)).status).toBe(401);
  });
});

test('a new password keeps passkeys, and says so', async () => {
  const { authenticator } = await at.add(ada.authorization);
  expect((await setPassword(ada, 'Another-1234')).status).toBe(200);
  expect(await noticesOf(ada.user.id)).toContainEqual(expect.stringContaining('Your passkeys still work'));
  const letter = (await mailTo(ada.user.email)).find(({ subject }) => subject?.includes('password was changed'));
  expect(letter?.text).toContain('Your passkeys still sign in');
  expect((await at.signIn(authenticator)).status).toBe(200);
});

test('expired challenges go with new ones and with the cleanup', async () => {
  await server.db.delete(passkeyChallenges);
  for (let count = 0; count < 12; count++) await at.signInOptions();
  now += 5 * MINUTE + 1;
  await at.signInOptions();
  expect(await server.db.$count(passkeyChallenges)).toBe(3);
  await tidy(server.db, now);
  expect(await server.db.$count(passkeyChallenges)).toBe(1);
});

test('two processes share challenges', { timeout: 180_000 }, async ({ skip }) => {
  const postgres = await startPostgres();
  if (!postgres) return skip('PostgreSQL is not installed here');
  const env = { DATABASE_URL: postgres.url, JWT_SECRET: 'j'.repeat(40), SECRETS_KEY: 's'.repeat(40), TRUST_PROXY: 'on' };
  const [one, other] = [await startServer({ env }), await startServer({ env })];
  try {
    const user = await one.signUp();
    const [here, there] = [passkeyCaller(one), passkeyCaller(other)];
    const { authenticator } = await here.add(user.authorization);
    const credential = authenticator.get(await here.signInOptions());
    const answers = await Promise.all([here, there, here, there].map(({ send }) => send(credential)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await there.send(authenticator.get(await here.signInOptions()))).status).toBe(200);
  } finally {
    await other.close();
    await one.close();
    await postgres.stop();
  }
});
