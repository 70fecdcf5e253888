import { createHash, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Device, devicesAnswer, MAX_SESSIONS } from '#contract/account/sessions.ts';
import { type Tokens, tokensAnswer } from '#contract/account/tokens.ts';
import { DAY, MINUTE } from '#domain/clock.ts';
import { sessions } from '#server/db/schema/sessions.ts';
import { connect, gone } from '#tests/support/server/realtime.ts';
import { PASSWORD, type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const START = Date.UTC(2026, 2, 1, 12);
const PHONE = 'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36';
let now = START;
let server: TestServer;
let ada: SignedUp;
let log: Record<string, unknown>[] = [];

beforeAll(async () => {
  server = await startServer({
    clock: () => now,
    env: { TRUST_PROXY: 'on', LOG_LEVEL: 'info' },
    logTo: { write: (line) => log.push(JSON.parse(line)) },
  });
});
beforeEach(async () => {
  now = START;
  ada = await server.signUp();
  log = [];
});
afterAll(() => server?.close());

let address = 0;
async function login(headers: Record<string, string> = {}, who = ada): Promise<Tokens> {
  const from = { 'x-forwarded-for': `10.9.${++address}.1`, ...headers };
  const response = await server.post('/auth/login/', { email: who.user.email, password: PASSWORD }, from);
  expect(response.status).toBe(200);
  return tokensAnswer.parse(await response.json()).data;
}
const ask = (method: string, path: string, { accessToken }: Pick<Tokens, 'accessToken'>) =>
  fetch(`${server.url}/api${path}`, { method, headers: { authorization: `Bearer ${accessToken}` } });
const list = async (tokens: Tokens): Promise<Device[]> =>
  devicesAnswer.parse(await (await ask('GET', '/auth/sessions/', tokens)).json()).data;
const idOf = ({ refreshToken }: Tokens) => refreshToken.split('.')[0] ?? '';
const refresh = ({ refreshToken }: Tokens) => server.post('/auth/refresh-token/', { refreshToken });
const audited = () => log.filter(({ audit }) => audit !== undefined);

describe('the list of signed-in devices', () => {
  test('names each by browser, system and network prefix, the asking one first', async () => {
    const phone = await login({ 'user-agent': PHONE, 'x-forwarded-for': '203.0.113.77' });
    now += 7 * MINUTE;
    const tablet = await login({ 'user-agent': '<img src=x onerror=alert(1)>', 'x-forwarded-for': '2001:db8:1:2::99' });
    const devices = await list(phone);
    expect(devices).toEqual([
      {
        id: idOf(phone),
        name: 'Chrome on Android',
        network: '203.0.113.0/24',
        signed_in_at: new Date(START).toISOString(),
        last_seen_at: new Date(now).toISOString(),
        current: true,
      },
      expect.objectContaining({ id: idOf(tablet), name: 'Unknown browser', network: '2001:db8:1::/48', current: false }),
      expect.objectContaining({ id: idOf(ada.tokens), current: false }),
    ]);
    const kept = JSON.stringify(await server.db.select().from(sessions).where(eq(sessions.userId, ada.user.id)));
    expect(kept).not.toMatch(/203\.0\.113\.77|2001:db8:1:2|onerror|Pixel/);
  });

  test('shows sessions from before names were kept', async () => {
    const old = await login();
    await server.db
      .update(sessions)
      .set({ clientName: null, network: null, lastSeenAt: null })
      .where(eq(sessions.id, idOf(old)));
    expect((await list(ada.tokens)).find(({ id }) => id === idOf(old))).toMatchObject({
      name: null,
      network: null,
      last_seen_at: new Date(START).toISOString(),
    });
  });

  test('writes down use every five minutes, and not with each request', async () => {
    const phone = await login();
    const seen = async () =>
      (
        await server.db
          .select()
          .from(sessions)
          .where(eq(sessions.id, idOf(phone)))
      )[0]?.lastSeenAt?.getTime();
    for (const at of [1, 2, 4]) {
      now = START + at * MINUTE;
      expect((await ask('GET', '/auth/sessions/', phone)).status).toBe(200);
    }
    expect(await seen()).toBe(START);
    now = START + 6 * MINUTE;
    await ask('GET', '/auth/sessions/', phone);
    expect(await seen()).toBe(now);
    now = START + 40 * MINUTE;
    expect((await refresh(phone)).status).toBe(200);
    expect(await seen()).toBe(now);
  });

  test('omits ended and expired sessions', async () => {
    const [phone, lost] = [await login(), await login()];
    await server.post('/auth/logout/', { refreshToken: phone.refreshToken }, { authorization: `Bearer ${phone.accessToken}` });
    expect((await list(lost)).map(({ id }) => id).sort()).toEqual([idOf(lost), idOf(ada.tokens)].sort());
    now += 31 * DAY;
    const fresh = await login();
    expect((await list(fresh)).map(({ id }) => id)).toEqual([idOf(fresh)]);
  });

  test('holds 50 at most: a further sign-in ends the one used least recently, with its socket', async () => {
    now += MINUTE;
    const idle = await login();
    const socket = await connect(server.url, idle.accessToken);
    const ended = gone(socket);
    now += 10 * MINUTE;
    await ask('GET', '/auth/sessions/', ada.tokens); // The most recently used session stays.
    for (let count = 2; count < MAX_SESSIONS; count++) await login();
    expect(await list(ada.tokens)).toHaveLength(MAX_SESSIONS);
    await login();
    const left = (await list(ada.tokens)).map(({ id }) => id);
    expect(left).toHaveLength(MAX_SESSIONS);
    expect(left).toContain(idOf(ada.tokens));
    expect(left).not.toContain(idOf(idle));
    await ended;
    expect((await ask('GET', '/auth/sessions/', idle)).status).toBe(401);
  });

  test('needs a token', async () => {
    for (const method of ['GET', 'DELETE']) expect((await fetch(`${server.url}/api/auth/sessions`, { method })).status).toBe(401);
  });
});

describe('signing out', () => {
  test('one other device ends its socket, its tokens and its refresh token, and no other session', async () => {
    const [phone, laptop] = [await login(), await login()];
    const socket = await connect(server.url, phone.accessToken);
    const ended = gone(socket);
    log = [];
    expect((await ask('DELETE', `/auth/sessions/${idOf(phone)}/`, laptop)).status).toBe(200);
    await ended;
    expect((await ask('GET', '/auth/sessions/', phone)).status).toBe(401);
    const refused = await refresh(phone);
    expect([refused.status, await refused.json()]).toEqual([403, expect.objectContaining({ code: 'session_ended' })]);
    for (const tokens of [laptop, ada.tokens]) expect((await ask('GET', '/auth/sessions/', tokens)).status).toBe(200);
    expect(audited()).toEqual([expect.objectContaining({ audit: 'session-ended', userId: ada.user.id, network: '127.0.0.0/24' })]);
    expect((await ask('DELETE', `/auth/sessions/${idOf(phone)}/`, laptop)).status).toBe(404);
  });

  test('all others leaves the asking device alone', async () => {
    const others = [await login(), await login(), ada.tokens];
    const laptop = await login();
    expect((await ask('DELETE', '/auth/sessions/', laptop)).status).toBe(200);
    for (const tokens of others)
      expect([(await ask('GET', '/auth/sessions/', tokens)).status, (await refresh(tokens)).status]).toEqual([401, 403]);
    expect(await list(laptop)).toHaveLength(1);
    expect((await ask('DELETE', '/auth/sessions/', laptop)).status).toBe(200);
  });

  test('two devices that end each other at the same moment leave at most one, and both get an answer', async () => {
    for (let round = 0; round < 5; round++) {
      const pair = [await login(), await login()];
      const answers = await Promise.all(pair.map((tokens) => ask('DELETE', '/auth/sessions/', tokens)));
      expect(answers.map(({ status }) => status).every((status) => [200, 401].includes(status))).toBe(true);
      const alive = await Promise.all(pair.map(async (tokens) => (await refresh(tokens)).status));
      expect(alive.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
    }
  });

  test.each([
    ['another user’s session', async () => idOf((await server.signUp()).tokens)],
    ['a session that never was', async () => randomUUID()],
    ['what is no id', async () => '..%2f..%2fuser'],
    ['a long text', async () => 'x'.repeat(250)],
  ])('%s is not found', async (_name, id) => {
    const target = await id();
    const response = await ask('DELETE', `/auth/sessions/${target}`, ada.tokens);
    expect([400, 404]).toContain(response.status);
    expect((await ask('GET', '/auth/sessions/', ada.tokens)).status).toBe(200);
  });

  test('another user’s session answers 404 and lives on', async () => {
    const bob = await server.signUp();
    expect((await ask('DELETE', `/auth/sessions/${idOf(bob.tokens)}`, ada.tokens)).status).toBe(404);
    expect((await refresh(bob.tokens)).status).toBe(200);
  });
});

describe('a session whose device signed out without an answer', () => {
  const hashOf = ({ refreshToken }: Tokens) => createHash('sha256').update(refreshToken).digest('base64url');
  const end = (session_id: unknown, token_hash: unknown) => server.post('/auth/end-session/', { session_id, token_hash });

  test('ends by the hash of its refresh token, once, also long after the access token', async () => {
    const phone = await login();
    now += DAY;
    log = [];
    expect((await end(idOf(phone), hashOf(phone))).status).toBe(200);
    expect((await refresh(phone)).status).toBe(403);
    expect((await end(idOf(phone), hashOf(phone))).status).toBe(401);
    expect(audited()).toEqual([expect.objectContaining({ audit: 'sign-out', userId: ada.user.id, about: 'late' })]);
  });

  test('ends by the hash of a token whose successor was issued and not used', async () => {
    const phone = await login();
    const next = tokensAnswer.parse(await (await refresh(phone)).json()).data;
    expect((await end(idOf(phone), hashOf(phone))).status).toBe(200);
    expect((await refresh(next)).status).toBe(403);
  });

  test('does not end for anything else, and the hash opens nothing', async () => {
    const [phone, other] = [await login(), await login()];
    for (const [id, hash] of [
      [idOf(phone), hashOf(other)],
      [idOf(phone), phone.refreshToken],
      [randomUUID(), hashOf(phone)],
      ['x', hashOf(phone)],
    ])
      expect([400, 401]).toContain((await end(id, hash)).status);
    for (const [id, hash] of [
      [idOf(phone), 'x'.repeat(8_000)],
      [['x'], hashOf(phone)],
    ])
      expect((await end(id, hash)).status).toBe(400);
    expect((await server.post('/auth/refresh-token/', { refreshToken: `${idOf(phone)}.${hashOf(phone)}` })).status).toBe(403);
  });
});
