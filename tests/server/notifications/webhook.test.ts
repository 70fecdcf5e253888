import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { HOUR, MINUTE } from '#domain/clock.ts';
import { deliveries, destinations } from '#server/db/schema/deliveries.ts';
import { createNotifications, type Notice } from '#server/modules/notifications/service.ts';
import { collectingMail } from '#tests/support/notifications/collecting-mail.ts';
import { preferencesOf } from '#tests/support/notifications/preferences.ts';
import { isSigned, type Receiver, startReceiver } from '#tests/support/notifications/receiver.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

let now = Date.UTC(2026, 2, 1, 12);
let server: TestServer;
let receiver: Receiver;
let ada: SignedUp;
const mail = collectingMail();

beforeAll(async () => {
  receiver = await startReceiver();
  server = await startServer({ clock: () => now, mail, deliveryPoll: 20, env: { PRIVATE_TARGETS: receiver.url } });
});
beforeEach(async () => {
  now += HOUR;
  ada = await server.signUp();
  receiver.received = [];
  receiver.answer = (_received, response) => void response.writeHead(204).end();
});
afterAll(async () => {
  await server.close();
  await receiver.close();
});

const mine = () => preferencesOf(server, ada);
const notify = (what: Partial<Notice> = {}) =>
  server.db.transaction((tx) =>
    createNotifications({ db: server.db, clock: () => now }).notify(tx, ada.user.id, {
      kind: 'alert',
      text: 'Bitcoin is above $100.00.',
      ...what,
    }),
  );
const rows = () =>
  server.db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.userId, ada.user.id), eq(deliveries.channel, 'webhook')));
const states = async () => (await rows()).map(({ state }) => state);
const destination = async () => (await server.db.select().from(destinations).where(eq(destinations.userId, ada.user.id)))[0];

describe('a message', () => {
  test('is signed with the secret that was shown once, and says what happened', async () => {
    const secret = await mine().setWebhook(`${receiver.url}/hook?key=1`);
    await notify({ link: '/crypto/details/1' });
    await vi.waitFor(async () => expect(await states()).toEqual(['sent']));
    const [got] = receiver.received;
    const [row] = await rows();
    if (!got) throw new Error('nothing arrived');
    expect(got.path).toBe('/hook?key=1');
    expect(isSigned(got, secret)).toBe(true);
    expect(isSigned({ ...got, body: got.body.replace('100', '200') }, secret)).toBe(false);
    expect(got.headers['webhook-timestamp']).toBe(String(now / 1000));
    expect(JSON.parse(got.body)).toEqual({
      id: row?.id,
      kind: 'alert',
      urgent: false,
      text: 'Bitcoin is above $100.00.',
      link: `${server.config.publicUrl}/crypto/details/1`,
      count: 1,
      created_at: new Date(now).toISOString(),
      receipt: `${row?.id}.${row?.receipt}`,
    });
    const stored = JSON.stringify(await mine().read());
    expect(stored).not.toContain(secret.slice(6));
    expect((await destination())?.sealed?.toString('latin1')).not.toContain(secret.slice(6));
  });

  test('has the same id and a new signature when it is tried again, after the time that the receiver asks for', async () => {
    const secret = await mine().setWebhook(receiver.url);
    receiver.answer = (_received, response) => void response.writeHead(429, { 'retry-after': '600' }).end();
    await notify();
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{ attempts: 1, claim: null, failure: 'The receiver answered 429' }]));
    expect((await rows())[0]?.dueAt.getTime()).toBe(now + 10 * MINUTE);
    receiver.answer = (_received, response) => void response.writeHead(200).end('x'.repeat(1_000_000));
    now += 10 * MINUTE;
    await vi.waitFor(async () => expect(await states()).toEqual(['sent']));
    const [first, second] = receiver.received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second && isSigned(second, secret)).toBe(true);
  });

  test('of a kind that the user switched off is not sent', async () => {
    await mine().setWebhook(receiver.url);
    expect((await mine().save({ choices: { alert: { webhook: false } } })).status).toBe(200);
    await notify();
    await notify({ kind: 'bot', text: 'Closed.' });
    await vi.waitFor(() => expect(receiver.received.map(({ body }) => JSON.parse(body).kind)).toEqual(['bot']));
  });

  test('that a redirect wants elsewhere goes nowhere', async () => {
    await mine().setWebhook(`${receiver.url}/first`);
    receiver.answer = (_received, response) => void response.writeHead(302, { location: `${receiver.url}/second` }).end();
    await notify();
    await vi.waitFor(async () => expect(await states()).toEqual(['failed']));
    expect(receiver.received.map(({ path }) => path)).toEqual(['/first']);
  });
});

describe('a receiver', () => {
  test('that refuses five messages is switched off, with a notification, and is on again after a test that it takes', async () => {
    await mine().setWebhook(receiver.url);
    receiver.answer = (_received, response) => void response.writeHead(404).end();
    for (let refused = 1; refused <= 5; refused++) {
      await notify();
      await vi.waitFor(async () => expect(await states()).toEqual(Array.from({ length: refused }, () => 'failed')));
    }
    expect(await mine().read()).toMatchObject({ webhook: { ended_at: new Date(now).toISOString(), failure: 'The receiver answered 404' } });
    await notify();
    expect(await states()).toHaveLength(5);
    const list = await fetch(`${server.url}/api/notification/${ada.user.id}`, { headers: { authorization: ada.authorization } });
    expect(JSON.stringify(await list.json())).toContain('Your webhook refused our messages');

    expect(await mine().testWebhook()).toBe('The receiver answered 404');
    receiver.answer = (_received, response) => void response.writeHead(200).end();
    expect(await mine().testWebhook()).toBeNull();
    await notify();
    await vi.waitFor(async () => expect(await states()).toContain('sent'));
    expect(await destination()).toMatchObject({ failures: 0, endedAt: null });
  });

  test('that never answers holds up no other user', async () => {
    await mine().setWebhook(`${receiver.url}/slow`);
    receiver.answer = ({ path }, response) => {
      if (path !== '/slow') response.writeHead(200).end();
    };
    for (let count = 0; count < 6; count++) await notify();
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(0));
    ada = await server.signUp();
    await mine().setWebhook(`${receiver.url}/fast`);
    await notify();
    await vi.waitFor(async () => expect(await states()).toEqual(['sent']));
    expect(receiver.received.filter(({ path }) => path === '/slow').length).toBeLessThanOrEqual(3);
  });
});

describe('an address', () => {
  test.each([
    ['another protocol', 'ftp://example.com'],
    ['no protocol', 'example.com'],
    ['a script', 'javascript:alert(1)'],
    ['a password', 'https://user:password@example.com/'],
    ['no host', 'https://'],
    ['600 characters', `https://example.com/${'x'.repeat(600)}`],
    ['100 KB', 'x'.repeat(100_000)],
  ])('with %s is refused', async (_name, url) => {
    expect((await mine().ask('PUT', 'webhook', { url })).status).toBe(400);
    expect(await destination()).toBeUndefined();
  });

  test('can be changed and removed, each with a security notification that also goes to the place before', async () => {
    const first = await mine().setWebhook(`${receiver.url}/one`);
    now += MINUTE;
    expect(await mine().setWebhook(`${receiver.url}/two`)).not.toBe(first);
    now += MINUTE;
    expect((await mine().read()).webhook?.name).toBe(new URL(receiver.url).host);
    expect((await mine().ask('DELETE', 'webhook')).status).toBe(200);
    expect((await mine().ask('DELETE', 'webhook')).status).toBe(200);
    expect((await mine().read()).webhook).toBeNull();
    expect((await mine().ask('POST', 'webhook/test')).status).toBe(404);
    const list = await (
      await fetch(`${server.url}/api/notification/${ada.user.id}`, { headers: { authorization: ada.authorization } })
    ).json();
    expect(list.data.map((one: { notification_text: string }) => one.notification_text.split('.')[0])).toEqual([
      'Notifications no longer go to your webhook',
      expect.stringContaining('Notifications now also go to the webhook at'),
      expect.stringContaining('Notifications now also go to the webhook at'),
    ]);
  });
});

test('no address but the trusted origin itself may be private', async () => {
  const { port } = new URL(receiver.url);
  const urls = [`http://127.0.0.2:${port}`, `http://127.0.0.1:${Number(port) + 1}`, `https://127.0.0.1:${port}`, 'http://example.com'];
  for (const url of [...urls, receiver.url.replace('//', '//user:password@')])
    expect((await mine().ask('PUT', 'webhook', { url })).status, url).toBe(400);
  expect((await mine().ask('PUT', 'webhook', { url: `${receiver.url}/any` })).status).toBe(200);
});

test('no user reads or changes the settings of another one', async () => {
  const bob = await server.signUp();
  const stranger = preferencesOf(server, { ...bob, user: ada.user });
  for (const [method, path, body] of [
    ['GET', 'settings'],
    ['PUT', 'settings', { choices: {}, quiet: null, time_zone: 'UTC' }],
    ['PUT', 'webhook', { url: receiver.url }],
    ['POST', 'webhook/test'],
    ['DELETE', 'webhook'],
    ['POST', 'telegram'],
    ['DELETE', 'telegram'],
  ] as const)
    expect((await stranger.ask(method, path, body)).status, `${method} ${path}`).toBe(404);
});

describe('an operator who trusts no private network', () => {
  let strict: TestServer;
  beforeAll(async () => {
    strict = await startServer({ clock: () => now, mail, deliveryPoll: 20 });
  });
  afterAll(() => strict.close());

  test('gets no byte to an address of this machine or its networks, whatever it is called', async () => {
    const own = preferencesOf(strict, await strict.signUp());
    const { port } = new URL(receiver.url);
    const hosts = ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0.0.0.0', '169.254.169.254', '10.0.0.1'];
    for (const url of [receiver.url, ...hosts.map((host) => `https://${host}:${port}/strict`)]) {
      const answer = await own.ask('PUT', 'webhook', { url });
      expect(answer.status, url).toBe(400);
      expect(await answer.json()).toMatchObject({ message: 'Messages can only go to https:// addresses on the public internet' });
    }
    await own.setWebhook(`https://localhost:${port}/strict`);
    expect(await own.testWebhook()).toContain('private network');
    expect(receiver.received.filter(({ path }) => path === '/strict')).toEqual([]);
  });

  test('sends nothing to an address that was trusted before', async () => {
    const user = await strict.signUp();
    const own = preferencesOf(strict, user);
    await own.setWebhook('https://localhost/before');
    await strict.db
      .update(destinations)
      .set({ address: `${receiver.url}/before` })
      .where(eq(destinations.userId, user.user.id));
    expect(await own.testWebhook()).toContain('public internet');
    expect(receiver.received.filter(({ path }) => path === '/before')).toEqual([]);
  });
});
