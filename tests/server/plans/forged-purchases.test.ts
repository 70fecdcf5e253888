import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE } from '#domain/clock.ts';
import { storeEvents, subscriptions, testStore } from '#server/db/schema/subscriptions.ts';
import { createReceipts } from '#server/ports/payments/test-store/receipts.ts';
import { type Customer, customerOf } from '#tests/support/plans/customer.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

let now = Date.UTC(2026, 2, 5, 12);
const clock = () => now;
let server: TestServer;
/** On the Basic plan, and tries to get a higher one. */
let ada: Customer;
/** On the Free plan. */
let bob: Customer;
/** The receipt of Ada's plan. */
let used: string;

beforeAll(async () => {
  server = await startServer({ clock });
  [ada, bob] = [await customerOf(server), await customerOf(server)];
  used = await ada.receipt('basic_monthly');
  expect((await ada.claim({ planType: 'BASIC', receipt: used })).status).toBe(200);
});
afterAll(() => server.close());

/** Reads everything that records purchases. */
async function books() {
  const { userId, plan, endsAt, renews, nextPlan } = subscriptions;
  return {
    granted: await server.db.select({ userId, plan, endsAt, renews, nextPlan }).from(subscriptions),
    sold: await server.db.select().from(testStore),
    counted: await server.db.select().from(storeEvents),
    shown: [await ada.subscription(), await bob.subscription()],
  };
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decoded = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());

/** Changes the claims of a receipt and keeps its signature. */
function edited(receipt: string, claims: object): string {
  const [header, payload, signature] = receipt.split('.');
  return [header, encoded({ ...decoded(payload), ...claims }), signature].join('.');
}

function headed(receipt: string, header: object): string {
  const [, payload, signature] = receipt.split('.');
  return [encoded(header), payload, signature].join('.');
}

/** Creates a test-store receipt signed with another key. */
const signed = (key: string | Uint8Array, appUserId = bob.appUserId) =>
  new SignJWT({ product: 'premium_monthly' })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(appUserId)
    .setAudience('test-store')
    .setJti(randomUUID())
    .setExpirationTime(Math.floor(now / 1000) + 600)
    .sign(typeof key === 'string' ? new TextEncoder().encode(key) : key);

const PREMIUM = { planType: 'PREMIUM' };
const BASIC = { planType: 'BASIC' };

const FORGERIES: [name: string, status: number, send: () => Promise<Response>][] = [
  ['only asks for a plan', 402, () => bob.claim(PREMIUM)],
  ['only asks for the lowest one', 402, () => bob.claim(BASIC)],
  ['only asks for a higher one', 402, () => ada.claim(PREMIUM)],
  [
    'says more than is asked',
    402,
    () => bob.claim({ ...PREMIUM, verified: true, endDate: '2099-01-01T00:00:00Z', product: 'premium_monthly' }),
  ],
  ['asks with a number', 400, () => bob.claim({ planType: 4 })],
  ['asks in lower case', 400, () => bob.claim({ planType: 'premium' })],
  ['asks for several plans', 400, () => bob.claim({ planType: ['FREE', 'PREMIUM'] })],
  ['has an empty receipt', 402, () => bob.claim({ ...PREMIUM, receipt: '' })],
  ['has no receipt but null', 400, () => bob.claim({ ...PREMIUM, receipt: null })],
  ['has a receipt that is an object', 400, () => bob.claim({ ...PREMIUM, receipt: { product: 'premium_monthly' } })],
  ['has made-up text for a receipt', 402, () => bob.claim({ ...PREMIUM, receipt: 'GPA.3312-0000-0000-00000' })],
  ['has a receipt without end', 400, () => bob.claim({ ...PREMIUM, receipt: 'x'.repeat(5000) })],
  ['takes an access token for a receipt', 402, () => bob.claim({ ...PREMIUM, receipt: bob.who.tokens.accessToken })],
  ['takes a refresh token for a receipt', 402, () => bob.claim({ ...PREMIUM, receipt: bob.who.tokens.refreshToken })],
  ['is signed with a key of its own', 402, async () => bob.claim({ ...PREMIUM, receipt: await signed('k'.repeat(32)) })],
  ['is signed with an empty text padded', 402, async () => bob.claim({ ...PREMIUM, receipt: await signed(new Uint8Array(32)) })],
  [
    'is signed with the key of the access tokens',
    402,
    async () => bob.claim({ ...PREMIUM, receipt: await signed(server.config.jwtSecret) }),
  ],
  [
    'is signed with the key it is derived from',
    402,
    async () => bob.claim({ ...PREMIUM, receipt: await signed(server.config.secretsKey) }),
  ],
  [
    'comes from another test store',
    402,
    async () => {
      const elsewhere = createReceipts({ secretsKey: 'another server with its own secrets', clock });
      return bob.claim({ ...PREMIUM, receipt: await elsewhere.sign(bob.appUserId, 'premium_monthly') });
    },
  ],
  [
    'is not signed at all',
    402,
    async () => {
      const [, payload] = (await signed('k'.repeat(32))).split('.');
      return bob.claim({ ...PREMIUM, receipt: `${encoded({ alg: 'none' })}.${payload}.` });
    },
  ],
  [
    'has its signature cut off',
    402,
    async () => bob.claim({ ...BASIC, receipt: (await bob.receipt('basic_monthly')).replace(/[^.]*$/, '') }),
  ],
  ['has half its signature', 402, async () => bob.claim({ ...BASIC, receipt: (await bob.receipt('basic_monthly')).slice(0, -20) })],
  [
    'has another product written into the receipt',
    402,
    async () => bob.claim({ ...PREMIUM, receipt: edited(await bob.receipt('basic_monthly'), { product: 'premium_monthly' }) }),
  ],
  [
    "has its own id written into another's receipt",
    402,
    async () => bob.claim({ ...BASIC, receipt: edited(await ada.receipt('basic_monthly'), { sub: bob.appUserId }) }),
  ],
  ['has a used receipt with another number', 402, () => ada.claim({ ...BASIC, receipt: edited(used, { jti: randomUUID() }) })],
  [
    'has a receipt of a longer life',
    402,
    async () => bob.claim({ ...BASIC, receipt: edited(await bob.receipt('basic_monthly'), { exp: 4e9 }) }),
  ],
  [
    'says that nothing signed it',
    402,
    async () => bob.claim({ ...BASIC, receipt: headed(await bob.receipt('basic_monthly'), { alg: 'none' }) }),
  ],
  [
    'names another algorithm',
    402,
    async () => bob.claim({ ...BASIC, receipt: headed(await bob.receipt('basic_monthly'), { alg: 'HS512' }) }),
  ],
  [
    'brings a key of its own',
    402,
    async () => {
      const jwk = { kty: 'oct', k: Buffer.from('k'.repeat(32)).toString('base64url') };
      return bob.claim({ ...PREMIUM, receipt: headed(await signed('k'.repeat(32)), { alg: 'HS256', jwk }) });
    },
  ],
  ['asks for another plan than the receipt', 402, async () => bob.claim({ ...PREMIUM, receipt: await bob.receipt('basic_monthly') })],
  ['asks for no plan with a receipt', 402, async () => bob.claim({ planType: 'FREE', receipt: await bob.receipt('premium_monthly') })],
  ['uses a receipt again', 409, () => ada.claim({ ...BASIC, receipt: used })],
  ['uses a receipt again under a new key', 409, () => ada.claim({ ...BASIC, receipt: used }, { 'idempotency-key': randomUUID() })],
  ["uses another's used receipt", 402, () => bob.claim({ ...BASIC, receipt: used })],
  ["uses another's new receipt", 402, async () => bob.claim({ ...PREMIUM, receipt: await ada.receipt('premium_monthly') })],
  [
    "uses another's receipt and app user id",
    404,
    async () => bob.claim({ ...PREMIUM, appUserId: ada.appUserId, receipt: await ada.receipt('premium_monthly') }),
  ],
  ["claims another's app user id to restore from", 404, () => bob.claim({ planType: 'FREE', appUserId: ada.appUserId })],
  ["claims another's app user id and plan", 404, () => bob.claim({ ...BASIC, appUserId: ada.appUserId })],
  [
    'buys for another user',
    404,
    async () => bob.claim({ ...PREMIUM, userId: ada.who.user.id, receipt: await bob.receipt('premium_monthly') }),
  ],
  ['claims to be another user', 404, () => bob.claim({ ...PREMIUM, userId: ada.who.user.id, appUserId: ada.appUserId })],
  ['has an unknown app user id', 404, () => bob.claim({ ...PREMIUM, appUserId: randomUUID() })],
  ['has its app user id in capitals', 404, () => bob.claim({ ...PREMIUM, appUserId: bob.appUserId.toUpperCase() })],
  ['has an empty app user id', 404, () => bob.claim({ ...PREMIUM, appUserId: '' })],
  [
    'comes without a token',
    401,
    async () => {
      const { appUserId, who } = bob;
      const receipt = await bob.receipt('premium_monthly');
      return server.post('/buy-subscription', { ...PREMIUM, userId: who.user.id, appUserId, receipt });
    },
  ],
  [
    'follows a payment that was declined',
    402,
    async () => {
      const declined = await bob.post('/test-store/purchases', { productId: 'premium_monthly', outcome: 'declined' });
      const { receipt = '' } = (await declined.json()).data ?? {};
      return bob.claim({ ...PREMIUM, receipt });
    },
  ],
  ['buys what is not sold', 400, () => bob.post('/test-store/purchases', { productId: 'premium_yearly', outcome: 'paid' })],
  ['renews what was never bought', 409, () => bob.post('/test-store/changes', { change: 'renew' })],
  ['resumes what was never bought', 409, () => bob.post('/test-store/changes', { change: 'resume' })],
  ['makes up a change', 400, () => bob.post('/test-store/changes', { change: 'upgrade' })],
  // Runs last because it moves the clock, which would expire the receipts above.
  [
    'has a receipt that is too old',
    402,
    async () => {
      const receipt = await bob.receipt('premium_monthly');
      now += 10 * MINUTE;
      return bob.claim({ ...PREMIUM, receipt });
    },
  ],
];

describe('no plan moves when a request', () => {
  test('is one of at least 30', () => expect(FORGERIES.length).toBeGreaterThanOrEqual(30));

  test.each(FORGERIES)('%s', async (_name, status, send) => {
    const before = await books();
    const response = await send();
    const said = await response.text();
    expect(response.status, said).toBe(status);
    expect(await books()).toEqual(before);
  });
});

test('a profile is no place to set a plan', async () => {
  const before = await books();
  await fetch(`${server.url}/api/auth/user/${bob.who.user.id}`, {
    method: 'PATCH',
    headers: { authorization: bob.who.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: bob.who.user.id, userSubscription: { planType: 'PREMIUM' }, planType: 'PREMIUM' }),
  });
  expect(await books()).toEqual(before);
});

test('an ended subscription is not restored by its own receipt, under the old key or a new one', async () => {
  const key = { 'idempotency-key': randomUUID() };
  const eve = await customerOf(server);
  const body = { ...PREMIUM, receipt: await eve.receipt('premium_monthly') };
  expect((await eve.claim(body, key)).status).toBe(200);
  await eve.post('/test-store/changes', { change: 'expire' });
  expect((await eve.claim(body)).status).toBe(409);
  // The first answer is repeated, and nothing changes.
  expect((await eve.claim(body, key)).status).toBe(200);
  expect((await eve.claim({ planType: 'FREE' })).status).toBe(200);
  expect(await eve.subscription()).toMatchObject({ planType: 'FREE', endDate: null });
});
