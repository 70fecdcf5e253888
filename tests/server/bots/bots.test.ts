import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY } from '#domain/clock.ts';
import { botBody, botCaller, forgetKeyChecks } from '#tests/support/bots/bots.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

let server: TestServer;
let user: SignedUp;
let call: ReturnType<typeof botCaller>;
let now = Date.UTC(2026, 0, 10);

beforeAll(async () => {
  server = await startServer({ clock: () => now });
  user = await server.signUp();
  call = botCaller(server, user);
});
afterAll(() => server.close());
beforeEach(() => forgetKeyChecks(server));

const statusOf = async (id: string) => (await call('GET', `/trading-bots/${id}`)).body.data.status;
const settles = (id: string, status: string) =>
  vi.waitFor(async () => expect(await statusOf(id)).toBe(status), { timeout: 20_000, interval: 100 });

async function createBot(changes = {}): Promise<string> {
  const { status, body } = await call('POST', '/trading-bots', botBody(changes));
  expect(status).toBe(201);
  return body.data.bot_id;
}

describe('creating a bot', () => {
  test('sets the bot up, runs it and never returns its keys', async () => {
    const { status, body } = await call('POST', '/trading-bots', botBody());
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      bot_name: 'Tide',
      user_id: user.user.id,
      status: 'PROVISIONING',
      position_size: 1000,
      leverage: 15,
      max_drawdown: 30,
      equity: 1000,
      position: null,
      config: { asset: 'BTC', paper: true, custom_settings: { api_key: '', secret_key: '' } },
      key_hint: '-key',
    });
    await settles(body.data.bot_id, 'RUNNING');
    const { body: report } = await call('GET', `/trading-bots/${body.data.bot_id}/report`);
    expect(report.data.events.map((event: { kind: string }) => event.kind).sort()).toEqual(['created', 'running']);
    expect(JSON.stringify(report)).not.toContain('paper-demo');
  });

  test('moves credentials out of the custom settings', async () => {
    const { api_key, secret_key, ...rest } = botBody();
    const { status, body } = await call('POST', '/trading-bots', {
      ...rest,
      config: { asset: 'BTC', custom_settings: { api_key, secret_key } },
    });
    expect(status).toBe(201);
    expect(JSON.stringify(body)).not.toContain(secret_key);
  });

  test.each([
    [{ api_key: 'paper-unreferred-key', secret_key: 'paper-unreferred-secret' }, 5010],
    [{ api_key: 'unknown', secret_key: 'nothing' }, 1818],
  ])('refuses the keys %o with %i', async (keys, code) => {
    const { status, body } = await call('POST', '/trading-bots', botBody(keys));
    expect(status).toBe(400);
    expect(body.detail.code).toBe(code);
  });

  test('accepts only BTC, at least 100 USD and at most 15×', async () => {
    expect((await call('POST', '/trading-bots', { ...botBody(), config: { asset: 'ETH' } })).body).toMatchObject({
      status: 400,
      message: 'Bots trade BTC only.',
    });
    expect((await call('POST', '/trading-bots', botBody({ position_size: '99' }))).body).toMatchObject({
      status: 400,
      message: 'Position size must be at least 100 USD',
    });
    expect((await call('POST', '/trading-bots', botBody({ leverage: 16 }))).status).toBe(400);
  });

  test('stores the loss at which the bot stops, from 5% to 90%, and changes it while the bot runs', async () => {
    const id = await createBot({ max_drawdown: '25' });
    await settles(id, 'RUNNING');
    const changed = await call('PUT', `/trading-bots/${id}`, { max_drawdown: '12' });
    expect(changed.body.data).toMatchObject({ status: 'RUNNING', max_drawdown: 12 });
    const { body: report } = await call('GET', `/trading-bots/${id}/report`);
    expect(report.data.events.map(({ text }: { text: string }) => text)).toContain('Stops after a loss of 12%.');
    for (const max_drawdown of ['4', '91', '30.5', '-9', 'all', '9'.repeat(30), 30, null]) {
      expect((await call('PUT', `/trading-bots/${id}`, { max_drawdown })).status).toBe(400);
      expect((await call('POST', '/trading-bots', { ...botBody(), max_drawdown })).status).toBe(400);
    }
  });

  test('creates one bot per idempotency key and refuses the key with another body', async () => {
    const headers = { 'idempotency-key': 'make-once' };
    const first = await call('POST', '/trading-bots', botBody({ bot_name: 'Once' }), headers);
    const second = await call('POST', '/trading-bots', botBody({ bot_name: 'Once' }), headers);
    expect(second.body).toEqual(first.body);
    expect((await call('POST', '/trading-bots', botBody({ bot_name: 'Twice' }), headers)).status).toBe(422);
  });

  test('refuses a user with neither Premium nor a new account, and says why', async () => {
    const stranger = await server.signUp();
    const before = now;
    now += 31 * DAY;
    const { status, body } = await botCaller(server, await again(stranger))('POST', '/trading-bots', botBody());
    now = before;
    expect(status).toBe(403);
    expect(body.message).toBe('Trading bot access requires Premium subscription or account must be less than 30 days old');
  });
});

async function again({ user: { email }, password }: SignedUp): Promise<SignedUp> {
  const { data } = (await (await server.post('/auth/login/', { email, password })).json()) as { data: { accessToken: string } };
  return { authorization: `Bearer ${data.accessToken}` } as SignedUp;
}

describe('ownership of bots', () => {
  test('accepts only the caller’s user id, in the query, a header or the body', async () => {
    const id = await createBot({ user_id: user.user.id });
    expect((await call('GET', `/trading-bots/${id}?user_id=${user.user.id}`)).status).toBe(200);
    expect((await call('GET', `/trading-bots/${id}?user_id=stranger`)).status).toBe(404);
    expect((await call('GET', '/trading-bots', undefined, { 'user-id': 'stranger' })).status).toBe(404);
    expect((await call('GET', '/users/stranger/trading-bots')).status).toBe(404);
    const { body } = await call('GET', `/users/${user.user.id}/trading-bots`, undefined, { 'user-id': user.user.id });
    expect(body.data.total).toBe(body.data.bots.length);
  });

  test('reports another user’s bot as not found', async () => {
    const id = await createBot();
    const other = botCaller(server, await server.signUp());
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/report'],
      ['POST', '/start'],
      ['POST', '/stop'],
      ['POST', '/pause'],
      ['DELETE', ''],
    ] as const)
      expect((await other(method, `/trading-bots/${id}${path}`)).status).toBe(404);
    expect((await other('PUT', `/trading-bots/${id}`, { bot_name: 'Mine' })).status).toBe(404);
  });
});

describe('the lifecycle of a bot', () => {
  test('pauses, resumes, stops, changes, starts and deletes', async () => {
    const id = await createBot();
    await settles(id, 'RUNNING');
    expect((await call('POST', `/trading-bots/${id}/pause`)).body.data.paused_reason).toBe('Paused by you');
    expect((await call('POST', `/trading-bots/${id}/resume`)).body.data.paused_reason).toBeNull();
    expect((await call('PUT', `/trading-bots/${id}`, { position_size: '2000' })).status).toBe(409);
    expect((await call('PUT', `/trading-bots/${id}`, { bot_name: 'Renamed' })).body.data.bot_name).toBe('Renamed');
    expect((await call('POST', `/trading-bots/${id}/stop`, { mode: 'close' })).body.data.status).toBe('STOPPING');
    await settles(id, 'STOPPED');
    expect((await call('PUT', `/trading-bots/${id}`, { position_size: '2000' })).body.data).toMatchObject({
      position_size: 2000,
      equity: 2000,
    });
    expect((await call('POST', `/trading-bots/${id}/start`)).body.data.status).toBe('PROVISIONING');
    await settles(id, 'RUNNING');
    const headers = { 'idempotency-key': 'gone' };
    expect((await call('DELETE', `/trading-bots/${id}`, undefined, headers)).body).toEqual({ status: 200, data: { bot_id: id } });
    expect((await call('DELETE', `/trading-bots/${id}`, undefined, headers)).status).toBe(200);
    expect((await call('GET', `/trading-bots/${id}`)).status).toBe(404);
  });
});
