import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { MAX_PUSH_SUBSCRIPTIONS } from '#contract/push-limits.ts';
import { type PushService, startPushService } from '#tests/support/push/push-service.ts';
import { lastOf, pushUsers } from '#tests/support/push/push-user.ts';
import { createReceiver } from '#tests/support/push/receiver.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

let service: PushService;
let server: TestServer;
let push: ReturnType<typeof pushUsers>;
let ada: SignedUp;

beforeAll(async () => {
  service = await startPushService();
  server = await startServer({ env: { PRIVATE_TARGETS: service.origin }, deliveryPoll: 20 });
  push = pushUsers(server, service);
});
afterAll(async () => {
  await server.close();
  await service.close();
});

async function signInAgain({ user, password }: SignedUp): Promise<SignedUp> {
  const { data } = await (await server.post('/auth/login/', { email: user.email, password })).json();
  return { user, password, tokens: data, authorization: `Bearer ${data.accessToken}` };
}
describe('a subscription', () => {
  beforeEach(async () => {
    ada = await server.signUp();
  });

  test('is stored once, however often and at once it is sent', async () => {
    const key = await push.key(ada);
    const { endpoint, keys } = service.subscribe();
    const answers = await Promise.all(Array.from({ length: 5 }, () => push.send('/subscriptions', { endpoint, keys, key }, ada)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await push.rows(ada)).toHaveLength(1);
  });

  test('replaces the one that the session had', async () => {
    const first = await push.subscribe(ada);
    const second = await push.subscribe(ada);
    await push.notify(ada);
    await vi.waitFor(() => expect(second.received()).toHaveLength(1));
    expect(first.asked()).toBe(0);
  });

  test('belongs to the last user who sent it', async () => {
    const bob = await server.signUp();
    const browser = await push.subscribe(ada);
    const { endpoint, keys } = browser;
    expect((await push.send('/subscriptions', { endpoint, keys, key: await push.key(bob) }, bob)).status).toBe(200);
    await push.notify(ada, { text: 'only Ada' });
    await push.notify(bob, { text: 'only Bob' });
    await vi.waitFor(() => expect(browser.received()).toHaveLength(1));
    expect(lastOf(browser).notification.body).toBe('only Bob');
    expect(await push.rows(ada)).toEqual([]);
  });

  test('is removed by its own session alone', async () => {
    await push.subscribe(ada);
    const other = await signInAgain(ada);
    expect((await push.remove(other)).status).toBe(200);
    expect(await push.rows(ada)).toHaveLength(1);
    for (let time = 0; time < 2; time++) expect((await push.remove(ada)).status).toBe(200);
    expect(await push.rows(ada)).toEqual([]);
  });

  test('ends with its session, by logout and by the end of the device', async () => {
    const elsewhere = await signInAgain(ada);
    await push.subscribe(ada);
    await push.subscribe(elsewhere);
    await server.post('/auth/logout/', { refreshToken: ada.tokens.refreshToken }, { authorization: ada.authorization });
    const left = await push.rows(ada);
    expect(left).toHaveLength(1);
    const id = left[0]?.details.session;
    const third = await signInAgain(ada);
    await fetch(`${server.url}/api/auth/sessions/${id}`, { method: 'DELETE', headers: { authorization: third.authorization } });
    expect(await push.rows(ada)).toEqual([]);
    expect((await push.send('/subscriptions', { ...service.subscribe(), key: await push.key(third) }, elsewhere)).status).toBe(401);
    expect(await push.rows(ada)).toEqual([]);
  });

  test(`is one of ${MAX_PUSH_SUBSCRIPTIONS} of a user: the one confirmed longest ago goes`, async () => {
    const first = await push.subscribe(ada);
    for (let count = 0; count < MAX_PUSH_SUBSCRIPTIONS; count++) await push.subscribe(await signInAgain(ada));
    const rows = await push.rows(ada);
    expect(rows).toHaveLength(MAX_PUSH_SUBSCRIPTIONS);
    expect(rows.map(({ address }) => address)).not.toContain(first.endpoint);
  });

  test('is renewed with its secret, and not without it', async () => {
    const browser = await push.subscribe(ada);
    const next = service.subscribe();
    const key = await push.key(ada);
    const renew = (old: object) => server.post('/push/subscriptions/renew', { endpoint: next.endpoint, keys: next.keys, key, old });
    const { endpoint } = browser;
    expect((await renew({ endpoint, auth: createReceiver().keys.auth })).status).toBe(404);
    expect((await renew({ endpoint: `${endpoint}0`, auth: browser.keys.auth })).status).toBe(404);
    expect((await renew({ endpoint, auth: browser.keys.auth })).status).toBe(200);
    expect((await push.rows(ada)).map(({ address }) => address)).toEqual([next.endpoint]);
  });
});

describe('the server refuses', () => {
  let eve: SignedUp;
  beforeAll(async () => {
    eve = await server.signUp();
  });
  const valid = () => ({ endpoint: 'https://push.example.com/1', keys: createReceiver().keys });
  test.each([
    ['an address without TLS', { endpoint: 'http://push.example.com/1' }],
    ['a private address', { endpoint: 'https://10.0.0.1/1' }],
    ['this machine', { endpoint: 'https://127.0.0.1/1' }],
    ['this machine, written as a number', { endpoint: 'https://2130706433/1' }],
    ['this machine, by IPv6', { endpoint: 'https://[::1]/1' }],
    ['this machine, mapped', { endpoint: 'https://[::ffff:127.0.0.1]/1' }],
    ['the address of cloud metadata', { endpoint: 'https://169.254.169.254/latest' }],
    ['an address with a password', { endpoint: 'https://a:b@push.example.com/1' }],
    ['another scheme', { endpoint: 'file:///etc/passwd' }],
    ['no address', { endpoint: 'push' }],
    ['an address of 100 kB', { endpoint: `https://push.example.com/${'a'.repeat(100_000)}` }],
    ['a key that is no point', { keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) } }],
    ['a short key', { keys: { p256dh: 'A'.repeat(86), auth: 'A'.repeat(22) } }],
    ['a long secret', { keys: { ...createReceiver().keys, auth: 'A'.repeat(23) } }],
    ['a key of another alphabet', { keys: { ...createReceiver().keys, auth: `+${'A'.repeat(21)}` } }],
  ])('%s', async (_what, changes) => {
    const response = await push.send('/subscriptions', { ...valid(), key: await push.key(eve), ...changes }, eve);
    expect(response.status).toBe(400);
    expect(await push.rows(eve)).toEqual([]);
  });

  test('a subscription for another key, so that the browser subscribes again', async () => {
    const response = await push.send('/subscriptions', { ...valid(), key: 'B'.repeat(87) }, eve);
    expect({ status: response.status, ...(await response.json()) }).toMatchObject({ status: 409, code: 'other_push_key' });
  });
});
