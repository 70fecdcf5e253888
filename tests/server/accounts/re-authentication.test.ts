import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Tokens, tokensAnswer } from '#contract/account/tokens.ts';
import { MINUTE } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { bots } from '#server/db/schema/bots.ts';
import { budgets } from '#server/db/schema/requests.ts';
import { sessions } from '#server/db/schema/sessions.ts';
import { botBody, botCaller } from '#tests/support/bots/bots.ts';
import { liveExchange } from '#tests/support/bots/live-exchange.ts';
import { startPostgres } from '#tests/support/processes/postgres.ts';
import { PASSWORD, type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const START = Date.UTC(2026, 2, 1, 12);
const NEW_PASSWORD = 'Another-1234';
const REQUIRED = { status: 403, code: 're_authentication_required' };
let now = START;
let server: TestServer;
let ada: SignedUp;
let log: Record<string, unknown>[] = [];

const exchangeOn = (db: Db) => liveExchange(db, ({ key }) => ({ accountId: key }));

beforeAll(async () => {
  server = await startServer({
    clock: () => now,
    env: { TRUST_PROXY: 'on', LOG_LEVEL: 'info', EXCHANGE: 'bybit', REFERRAL_CODE: '77' },
    exchangeOn,
    logTo: { write: (line) => log.push(JSON.parse(line)) },
  });
});
beforeEach(async () => {
  now = START;
  ada = await server.signUp();
  log = [];
});
afterAll(() => server?.close());

const prove = (who: Pick<SignedUp, 'authorization'>, password: unknown, at = server) =>
  at.post('/auth/re-authenticate/', { password }, { authorization: who.authorization });
const change = ({ user, authorization }: SignedUp, fields: object, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/api/auth/user/${user.id}/`, {
    method: 'PATCH',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ user_id: user.id, ...fields }),
  });
const renewed = async (who: SignedUp): Promise<SignedUp> => {
  const response = await server.post('/auth/refresh-token/', { refreshToken: who.tokens.refreshToken });
  const tokens: Tokens = tokensAnswer.parse(await response.json()).data;
  return { ...who, tokens, authorization: `Bearer ${tokens.accessToken}` };
};
/** Ten minutes after the sign-in, with a valid access token: a borrowed phone. */
async function borrowed(): Promise<SignedUp> {
  now += 10 * MINUTE;
  return renewed(ada);
}
const audited = () => log.filter(({ audit }) => audit !== undefined).map(({ audit, userId, about }) => [audit, userId, about]);

describe('a new password', () => {
  test('asks for the current one ten minutes after the login, and not for other changes', async () => {
    const phone = await borrowed();
    expect(await (await change(phone, { password: NEW_PASSWORD })).json()).toMatchObject(REQUIRED);
    expect((await change(phone, { first_name: 'Augusta' })).status).toBe(200);
    expect((await prove(phone, PASSWORD)).status).toBe(200);
    expect((await change(phone, { password: NEW_PASSWORD })).status).toBe(200);
    expect((await server.post('/auth/login/', { email: ada.user.email, password: NEW_PASSWORD })).status).toBe(200);
  });

  test('needs no more than the login within ten minutes of it', async () => {
    now += 10 * MINUTE - 1;
    expect((await change(ada, { password: NEW_PASSWORD })).status).toBe(200);
  });

  test('is saved under the same idempotency key that was refused', async () => {
    const phone = await borrowed();
    const headers = { 'idempotency-key': 'kept-over-the-dialog' };
    expect((await change(phone, { password: NEW_PASSWORD }, headers)).status).toBe(403);
    await prove(phone, PASSWORD);
    expect((await change(phone, { password: NEW_PASSWORD }, headers)).status).toBe(200);
  });
});

describe('the proof', () => {
  test('counts for ten minutes, for its own session alone', async () => {
    const phone = await borrowed();
    const response = await server.post('/auth/login/', { email: ada.user.email, password: PASSWORD });
    const { accessToken } = tokensAnswer.parse(await response.json()).data;
    expect((await change(phone, { password: NEW_PASSWORD })).status).toBe(403);
    expect((await change({ ...ada, authorization: `Bearer ${accessToken}` }, { country: 'de' })).status).toBe(200);
    await prove(phone, PASSWORD);
    now += 10 * MINUTE - 1;
    expect((await change(phone, { password: NEW_PASSWORD })).status).toBe(200);
    now += 1;
    expect((await change(phone, { password: PASSWORD })).status).toBe(403);
  });

  test('that was made under a clock far ahead does not count', async () => {
    await server.db
      .update(sessions)
      .set({ provenAt: new Date(now + 60 * MINUTE) })
      .where(eq(sessions.userId, ada.user.id));
    expect((await change(ada, { password: NEW_PASSWORD })).status).toBe(403);
  });

  test('is not had for a wrong password, which counts with those of logins, and the field says so', async () => {
    const phone = await borrowed();
    const counted = async () => (await server.db.select().from(budgets).where(eq(budgets.key, 'wrong password, service')))[0]?.used ?? 0;
    const before = await counted();
    log = [];
    const response = await prove(phone, 'Wrong-1234');
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        status: 400,
        code: 'wrong_password',
        message: 'The password is not correct.',
        detail: { fields: { password: 'The password is not correct.' } },
      },
    ]);
    expect((await change(phone, { password: NEW_PASSWORD })).status).toBe(403);
    await prove(phone, PASSWORD);
    expect(await counted()).toBe(before + 1);
    expect(audited()).toEqual([
      ['re-authentication-refused', ada.user.id, undefined],
      ['re-authentication', ada.user.id, undefined],
    ]);
    expect(JSON.stringify(log)).not.toMatch(/Wrong-1234|Secret1!/);
  });

  test.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['a number', 1],
    ['a list', ['Secret1!']],
    ['8 KB', 'x'.repeat(8_000)],
  ])('is not had for %s', async (_name, password) => {
    expect((await prove(ada, password)).status).toBe(400);
  });

  test('cannot be guessed: twenty tries at once count as twenty, and logging in stays open', async () => {
    const phone = await borrowed();
    const statuses = await Promise.all(Array.from({ length: 20 }, async (_, index) => (await prove(phone, `Wrong-${index}`)).status));
    expect(statuses.filter((status) => status === 400)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect((await prove(phone, PASSWORD)).status).toBe(429);
    const fresh = await server.post('/auth/login/', { email: ada.user.email, password: PASSWORD });
    const { accessToken } = tokensAnswer.parse(await fresh.json()).data;
    expect((await change({ ...ada, authorization: `Bearer ${accessToken}` }, { password: NEW_PASSWORD })).status).toBe(200);
  });

  test('needs a token and an active session', async () => {
    expect((await server.post('/auth/re-authenticate/', { password: PASSWORD })).status).toBe(401);
    await server.post('/auth/logout/', { refreshToken: ada.tokens.refreshToken }, { authorization: ada.authorization });
    expect((await prove(ada, PASSWORD)).status).toBe(401);
  });
});

describe('a live bot', () => {
  const live = (api_key: string) => botBody({ api_key, confirm_live: 'LIVE' });

  test('is created, started, given another key and deleted with a recent password only', async () => {
    const phone = await borrowed();
    const call = botCaller(server, phone);
    const key = { 'idempotency-key': 'one-bot' };
    expect((await call('POST', '/trading-bots', live('guarded'), key)).body).toMatchObject(REQUIRED);
    expect(await server.db.$count(bots, eq(bots.userId, ada.user.id))).toBe(0);
    await prove(phone, PASSWORD);
    const made = await call('POST', '/trading-bots', live('guarded'), key);
    expect(made.status).toBe(201);
    const path = `/trading-bots/${made.body.data.bot_id}`;

    now += 11 * MINUTE;
    const later = botCaller(server, await renewed(phone));
    const moves = [
      () => later('POST', `${path}/start`),
      () => later('PUT', path, { api_key: 'guarded', secret_key: 'another' }),
      () => later('DELETE', path),
    ];
    for (const move of moves) expect((await move()).body).toMatchObject(REQUIRED);
    // Actions that reduce risk or move no money need no password.
    expect((await later('PUT', path, { bot_name: 'Renamed' })).status).toBe(200);
    expect((await later('POST', `${path}/stop`, { mode: 'close' })).status).toBe(200);
    await prove(phone, PASSWORD);
    expect((await later('DELETE', path)).status).toBe(200);
    expect((await later('DELETE', path)).status).toBe(404);
  });

  test('has each new key in the audit, once, and nothing of the key', async () => {
    const call = botCaller(server, ada);
    const again = { 'idempotency-key': 'audited' };
    const { body } = await call('POST', '/trading-bots', live('audited'), again);
    await call('POST', '/trading-bots', live('audited'), again);
    const keys = { api_key: 'audited', secret_key: 'next-secret' };
    const changed = { 'idempotency-key': 'changed' };
    for (let times = 0; times < 2; times++)
      expect((await call('PUT', `/trading-bots/${body.data.bot_id}`, keys, changed)).status).toBe(200);
    expect(audited()).toEqual([
      ['key-changed', ada.user.id, 'key of a new bot'],
      ['key-changed', ada.user.id, `key of bot ${body.data.bot_id}`],
    ]);
    expect(JSON.stringify(log)).not.toMatch(/next-secret|"audited"/);
  });

  test('of another user is not found, with and without a password', async () => {
    const made = await botCaller(server, ada)('POST', '/trading-bots', live('mine'));
    const bob = await server.signUp();
    expect((await botCaller(server, bob)('POST', `/trading-bots/${made.body.data.bot_id}/start`)).status).toBe(404);
  });
});

test('a paper bot asks for no password', async () => {
  const paper = await startServer({ clock: () => now });
  try {
    const user = await paper.signUp();
    now += 14 * MINUTE;
    const call = botCaller(paper, user);
    const made = await call('POST', '/trading-bots', botBody());
    expect(made.status).toBe(201);
    expect((await call('DELETE', `/trading-bots/${made.body.data.bot_id}`)).status).toBe(200);
  } finally {
    await paper.close();
  }
});

test('two processes share sessions and proofs', { timeout: 180_000 }, async ({ skip }) => {
  const postgres = await startPostgres();
  if (!postgres) return skip('PostgreSQL is not installed here');
  let time = Date.now();
  const env = {
    DATABASE_URL: postgres.url,
    JWT_SECRET: 'j'.repeat(40),
    SECRETS_KEY: 's'.repeat(40),
    EXCHANGE: 'bybit',
    REFERRAL_CODE: '77',
  };
  const parts = { clock: () => time, exchangeOn };
  const web = await startServer({ ...parts, env: { ...env, ROLE: 'web' } });
  const trader = await startServer({ ...parts, env: { ...env, ROLE: 'bots' } });
  try {
    const user = await web.signUp();
    time += 11 * MINUTE;
    const create = () => botCaller(trader, user)('POST', '/trading-bots', botBody({ api_key: 'elsewhere', confirm_live: 'LIVE' }));
    expect((await create()).body).toMatchObject(REQUIRED);
    expect((await prove(user, PASSWORD, web)).status).toBe(200);
    expect((await create()).status).toBe(201);

    // A sign-out at one process ends the session at the other within a second of the server's clock.
    const gone = await fetch(`${web.url}/api/auth/sessions/${user.tokens.refreshToken.split('.')[0]}`, {
      method: 'DELETE',
      headers: { authorization: user.authorization },
    });
    expect(gone.status).toBe(200);
    time += 1_000;
    expect((await botCaller(trader, user)('GET', '/trading-bots')).status).toBe(401);
  } finally {
    await trader.close();
    await web.close();
    await postgres.stop();
  }
});
