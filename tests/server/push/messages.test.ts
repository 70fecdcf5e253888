import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { deliveries } from '#server/db/schema/deliveries.ts';
import { sessions } from '#server/db/schema/sessions.ts';
import { type PushService, startPushService } from '#tests/support/push/push-service.ts';
import { lastOf, pushUsers } from '#tests/support/push/push-user.ts';
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
beforeEach(async () => {
  ada = await server.signUp();
});
afterAll(async () => {
  await server.close();
  await service.close();
});

const statesOf = async ({ user }: SignedUp) =>
  (await server.db.select().from(deliveries).where(eq(deliveries.userId, user.id))).filter(({ channel }) => channel === 'push');

describe('a message', () => {
  test('arrives encrypted and signed, and says in declarative form what the list says', async () => {
    const browser = await push.subscribe(ada);
    await push.notify(ada);
    await vi.waitFor(() => expect(browser.received()).toHaveLength(1));
    expect(service.faults).toEqual([]);
    const [session] = await server.db.select().from(sessions).where(eq(sessions.userId, ada.user.id));
    expect(lastOf(browser)).toMatchObject({
      web_push: 8030,
      app_badge: 1,
      notification: {
        title: 'Price alert · Tidemark',
        body: 'Bitcoin rose above $100.',
        navigate: `${server.config.publicUrl}/crypto/details/1`,
        app_badge: '1',
        data: { session: session?.id },
      },
    });
    const { headers } = service.pushed.at(-1) ?? { headers: {} };
    expect(headers).toMatchObject({ ttl: '21600', urgency: 'high', topic: expect.stringMatching(/^[\w-]{32}$/) });
    await vi.waitFor(async () => expect(await statesOf(ada)).toMatchObject([{ state: 'sent' }]));
  });

  test('is kept longer and wakes no device, where the kind allows it', async () => {
    const browser = await push.subscribe(ada);
    await push.notify(ada, { kind: 'subscription', text: 'Your plan ends.' });
    await vi.waitFor(() => expect(browser.received()).toHaveLength(1));
    expect(service.pushed.at(-1)?.headers).toMatchObject({ ttl: '259200', urgency: 'low' });
    await push.notify(ada, { kind: 'bot', text: 'A position was liquidated.', urgent: true });
    await vi.waitFor(() => expect(browser.received()).toHaveLength(2));
    expect(service.pushed.at(-1)?.headers).toMatchObject({ ttl: '86400', urgency: 'high' });
    expect(lastOf(browser)).toMatchObject({ app_badge: 2 });
  });

  test.each([
    ['long', 'Bitcoin '.repeat(5_000)],
    ['of wide characters', '🐳'.repeat(3_000)],
    ['of characters that JSON escapes', '\u0001"\\'.repeat(3_000)],
  ])('stays below 4 kB if its text is %s', async (_what, text) => {
    const browser = await push.subscribe(ada);
    await push.notify(ada, { text });
    await vi.waitFor(() => expect(browser.received()).toHaveLength(1));
    expect(service.pushed.at(-1)?.size).toBeLessThanOrEqual(4096);
    expect(lastOf(browser).notification.body).toMatch(/…$/);
    expect(lastOf(browser).notification.body.isWellFormed()).toBe(true);
  });

  test('names no amounts of bots to a device that hides them, also after it was renewed', async () => {
    const browser = await push.subscribe(ada);
    const next = service.subscribe();
    const key = await push.key(ada);
    const hiding = { endpoint: browser.endpoint, keys: browser.keys, key, hide_amounts: true };
    expect((await push.send('/subscriptions', hiding, ada)).status).toBe(200);
    await push.notify(ada, { kind: 'bot', text: 'Closed long 0.5 BTC at 61,250.00 USD: +$1,012.30 (4.2%).' });
    await vi.waitFor(() => expect(browser.received()).toHaveLength(1));
    expect(lastOf(browser).notification.body).toBe('Closed long ••• BTC at ••• USD: ••• (4.2%).');
    await push.notify(ada, { text: 'Bitcoin rose above $100.' });
    await vi.waitFor(() => expect(browser.received()).toHaveLength(2));
    expect(lastOf(browser).notification.body).toBe('Bitcoin rose above $100.');

    const old = { endpoint: browser.endpoint, auth: browser.keys.auth };
    expect((await server.post('/push/subscriptions/renew', { endpoint: next.endpoint, keys: next.keys, key, old })).status).toBe(200);
    await push.notify(ada, { kind: 'bot', text: 'Paid $3.00.' });
    await vi.waitFor(() => expect(next.received()).toHaveLength(1));
    expect(lastOf(next).notification.body).toBe('Paid •••.');
    await push.send('/subscriptions', { endpoint: next.endpoint, keys: next.keys, key, hide_amounts: false }, ada);
    await push.notify(ada, { kind: 'bot', text: 'Paid $4.00.' });
    await vi.waitFor(() => expect(next.received()).toHaveLength(2));
    expect(lastOf(next).notification.body).toBe('Paid $4.00.');
  });

  test('is acknowledged with the token that came in it', async () => {
    const browser = await push.subscribe(ada);
    await push.notify(ada);
    await vi.waitFor(() => expect(browser.received()).toHaveLength(1));
    const token = lastOf(browser).notification.data.receipt;
    for (const event of ['shown', 'opened']) expect((await server.post('/notification/receipt', { token, event })).status).toBe(200);
    expect(await statesOf(ada)).toMatchObject([{ shownAt: expect.any(Date), openedAt: expect.any(Date) }]);
  });
});

test('many messages at once make no warning', { timeout: 40_000 }, async () => {
  const warnings: string[] = [];
  const warn = ({ name }: Error) => void warnings.push(name);
  process.on('warning', warn);
  const browsers = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const user = await server.signUp();
      const browser = await push.subscribe(user);
      browser.behave('never');
      await push.notify(user);
      return browser;
    }),
  );
  await vi.waitFor(() => expect(browsers.filter((browser) => browser.asked() === 0)).toEqual([]), 30_000);
  process.off('warning', warn);
  expect(warnings).toEqual([]);
});

describe('an answer of the service', () => {
  test.each([404, 410])('%i ends the subscription, until the browser sends it again', async (status) => {
    const browser = await push.subscribe(ada);
    browser.behave({ status });
    await push.notify(ada);
    await vi.waitFor(async () => expect(await push.rows(ada)).toMatchObject([{ endedAt: expect.any(Date) }]));
    await push.notify(ada);
    await vi.waitFor(async () => expect(await statesOf(ada)).toMatchObject([{ state: 'failed', attempts: 1 }]));
    expect(browser.asked()).toBe(1);
    const { endpoint, keys } = browser;
    browser.behave({ status: 201 });
    await push.send('/subscriptions', { endpoint, keys, key: await push.key(ada) }, ada);
    await push.notify(ada);
    await vi.waitFor(() => expect(browser.received()).toHaveLength(1));
  });

  test.each<[string, { status: number; headers?: Record<string, string>; body?: string }]>([
    ['429 with seconds', { status: 429, headers: { 'retry-after': '1800' } }],
    ['429 with a date', { status: 429, headers: { 'retry-after': new Date(Date.now() + 1_800_000).toUTCString() } }],
    ['500', { status: 500 }],
    ['503 with a long text', { status: 503, body: 'x'.repeat(1_000_000) }],
  ])('%s is tried again later', async (_what, behavior) => {
    const browser = await push.subscribe(ada);
    browser.behave(behavior);
    const begun = Date.now();
    await push.notify(ada);
    const failure = expect.stringContaining(String(behavior.status));
    const [row] = await vi.waitFor(async () => {
      const rows = await statesOf(ada);
      expect(rows).toMatchObject([{ state: 'waiting', failure, claim: null }]);
      return rows;
    });
    expect((row?.dueAt.getTime() ?? 0) - begun).toBeGreaterThan(behavior.headers ? 1_000_000 : 2_000);
    browser.behave({ status: 201 });
    await server.db.update(deliveries).set({ dueAt: new Date() }).where(eq(deliveries.userId, ada.user.id));
    await vi.waitFor(() => expect(browser.received()).toHaveLength(1));
  });

  test.each([
    ['a cut connection', 'cut'],
    ['none, for ever', 'never'],
  ] as const)('that is %s is tried again later', { timeout: 40_000 }, async (_what, behavior) => {
    const browser = await push.subscribe(ada);
    browser.behave(behavior);
    await push.notify(ada);
    const failed = { state: 'waiting', failure: expect.any(String), claim: null };
    await vi.waitFor(async () => expect(await statesOf(ada)).toMatchObject([failed]), 30_000);
  });

  test('with a body that never ends counts by its status', { timeout: 40_000 }, async () => {
    const browser = await push.subscribe(ada);
    browser.behave('endless');
    await push.notify(ada);
    await vi.waitFor(async () => expect(await statesOf(ada)).toMatchObject([{ state: 'sent' }]), 30_000);
    expect(browser.asked()).toBe(1);
  });

  test('that redirects is followed nowhere', async () => {
    const browser = await push.subscribe(ada);
    const other = service.subscribe();
    browser.behave({ status: 307, headers: { location: other.endpoint } });
    await push.notify(ada);
    await vi.waitFor(async () => expect(await statesOf(ada)).toMatchObject([{ state: 'failed', failure: expect.stringContaining('307') }]));
    expect(other.asked()).toBe(0);
  });

  test('413 fails the message and keeps the subscription', async () => {
    const browser = await push.subscribe(ada);
    browser.behave({ status: 413 });
    for (let time = 1; time <= 6; time++) {
      await push.notify(ada);
      await vi.waitFor(() => expect(browser.asked()).toBe(time));
    }
    await vi.waitFor(async () => expect((await statesOf(ada)).map(({ state }) => state)).toEqual(Array(6).fill('failed')));
    expect(await push.rows(ada)).toMatchObject([{ failures: 0, endedAt: null }]);
  });

  test.each([400, 403])('%i is not tried again, and five in a row end the subscription', async (status) => {
    const browser = await push.subscribe(ada);
    browser.behave({ status }, { status }, { status: 201 }, { status });
    for (let time = 1; time <= 8; time++) {
      await push.notify(ada);
      await vi.waitFor(async () => expect((await statesOf(ada)).filter(({ state }) => state !== 'waiting')).toHaveLength(time));
    }
    expect(await push.rows(ada)).toMatchObject([{ failures: 5, endedAt: expect.any(Date) }]);
    await push.notify(ada);
    expect(await statesOf(ada)).toHaveLength(8);
    expect(browser.asked()).toBe(8);
  });
});
