import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Customer, customerOf } from '#tests/support/plans/customer.ts';
import { type FakeRevenueCat, REVENUECAT_KEY, startRevenueCat } from '#tests/support/plans/revenuecat.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const SECRET = 'the secret of the webhook';
const NOW = Date.UTC(2026, 2, 5, 12);
const END = '2026-04-05T12:00:00Z';
const LATER = '2026-04-21T12:00:00Z';
const endDate = '2026-04-05T12:00:00.000Z';
const pro = { product: 'pro_monthly', expires: END };

let revenueCat: FakeRevenueCat;
let server: TestServer;
let ada: Customer;
let bob: Customer;

beforeAll(async () => {
  revenueCat = await startRevenueCat();
  server = await startServer({
    clock: () => NOW,
    env: {
      REVENUECAT_API_KEY: REVENUECAT_KEY,
      REVENUECAT_BASE_URL: revenueCat.url,
      REVENUECAT_WEBHOOK_SECRET: SECRET,
      PUBLIC_URL: 'https://tidemark.example',
    },
  });
});
afterAll(async () => {
  await server.close();
  await revenueCat.close();
});
beforeEach(async () => {
  revenueCat.customers.clear();
  [ada, bob] = [await customerOf(server), await customerOf(server)];
  revenueCat.asked.length = 0;
});

const event = (type: string, more: object = {}) => ({
  api_version: '1.0',
  event: { id: randomUUID(), type, app_user_id: ada.appUserId, ...more },
});
const tell = (body: unknown, authorization: string | undefined = SECRET) =>
  server.post('/webhooks/revenuecat', body, authorization === '' ? {} : { authorization });

describe('a purchase', () => {
  test('is granted when RevenueCat knows of it', async () => {
    revenueCat.customers.set(ada.appUserId, [pro]);
    const bought = await ada.claim({ planType: 'PRO' });
    expect(await bought.json()).toMatchObject({ status: 200, data: { planType: 'PRO', activeAutoRenewal: true, endDate, nextPlan: null } });
    expect(revenueCat.asked).toEqual([ada.appUserId]);
  });

  test('that RevenueCat does not know is refused, although it answers 200', async () => {
    expect((await ada.claim({ planType: 'PRO' })).status).toBe(402);
    revenueCat.customers.set(ada.appUserId, [pro]);
    expect((await ada.claim({ planType: 'PREMIUM' })).status).toBe(402);
    expect((await bob.claim({ planType: 'PRO', appUserId: ada.appUserId })).status).toBe(404);
    expect(await bob.subscription()).toMatchObject({ planType: 'FREE' });
  });

  test.each([
    ['in the sandbox', { ...pro, sandbox: true }],
    ['that has ended', { ...pro, expires: '2026-03-05T12:00:00Z' }],
    ['that was refunded', { ...pro, refunded: '2026-03-04T00:00:00Z' }],
    ['of something else', { ...pro, product: 'coffee_monthly' }],
    ['whose end is no time', { ...pro, expires: 'soon' }],
  ])('%s grants nothing', async (_name, held) => {
    revenueCat.customers.set(ada.appUserId, [held]);
    expect((await ada.claim({ planType: 'PRO' })).status).toBe(402);
    expect(await ada.subscription()).toMatchObject({ planType: 'FREE' });
  });

  test('of several counts with the highest', async () => {
    revenueCat.customers.set(ada.appUserId, [
      pro,
      { product: 'premium_monthly', expires: END },
      { product: 'basic_monthly', expires: LATER },
    ]);
    expect((await (await ada.claim({ planType: 'FREE' })).json()).data).toMatchObject({ planType: 'PREMIUM', endDate });
  });

  test('lasts through its grace period, and does not say that it renews', async () => {
    revenueCat.customers.set(ada.appUserId, [
      { ...pro, expires: '2026-03-04T00:00:00Z', grace: LATER, billingIssue: '2026-03-04T00:00:00Z' },
    ]);
    expect((await (await ada.claim({ planType: 'PRO' })).json()).data).toMatchObject({
      planType: 'PRO',
      activeAutoRenewal: false,
      endDate: '2026-04-21T12:00:00.000Z',
    });
  });

  test('is asked about again after one failure; after two it is a failure, and the plan stays', async () => {
    revenueCat.customers.set(ada.appUserId, [pro]);
    revenueCat.faults.push(500);
    expect((await ada.claim({ planType: 'PRO' })).status).toBe(200);
    for (const fault of [503, 429, '{"subscriber":{}}', '<html>']) {
      revenueCat.faults.push(fault, fault);
      const failed = await ada.claim({ planType: 'FREE' });
      expect([failed.status, (await failed.json()).code]).toEqual([503, 'store_unavailable']);
    }
    expect(await ada.subscription()).toMatchObject({ planType: 'PRO' });
  });
});

describe('the webhook', () => {
  test.each([
    ['no secret', ''],
    ['another secret', 'the secret of the weblook'],
    ['part of the secret', SECRET.slice(0, -1)],
    ['an empty bearer', 'Bearer '],
  ])('with %s is refused, without a call to RevenueCat', async (_name, authorization) => {
    revenueCat.customers.set(ada.appUserId, [pro]);
    expect((await tell(event('INITIAL_PURCHASE'), authorization)).status).toBe(401);
    expect((await ada.post('/webhooks/revenuecat', event('INITIAL_PURCHASE'))).status).toBe(401);
    expect(revenueCat.asked).toEqual([]);
    expect(await ada.subscription()).toMatchObject({ planType: 'FREE' });
  });

  test('grants the plan that RevenueCat returns, not the one in the event', async () => {
    await tell(event('INITIAL_PURCHASE', { product_id: 'premium_monthly', expiration_at_ms: 4e12, entitlement_ids: ['premium'] }));
    expect(await ada.subscription()).toMatchObject({ planType: 'FREE' });
    revenueCat.customers.set(ada.appUserId, [pro]);
    expect((await tell(event('RENEWAL'), `Bearer ${SECRET}`)).status).toBe(200);
    expect(await ada.subscription()).toMatchObject({ planType: 'PRO', endDate });
  });

  test('acts on an event once', async () => {
    const renewal = event('RENEWAL');
    expect([(await tell(renewal)).status, (await tell(renewal)).status]).toEqual([200, 200]);
    expect(revenueCat.asked).toEqual([ada.appUserId]);
  });

  test('accepts an event again after a failed customer lookup', async () => {
    revenueCat.customers.set(ada.appUserId, [pro]);
    const purchase = event('INITIAL_PURCHASE');
    revenueCat.faults.push(500, 500);
    expect((await tell(purchase)).status).toBe(503);
    expect((await tell(purchase)).status).toBe(200);
    expect(await ada.subscription()).toMatchObject({ planType: 'PRO' });
  });

  test('a cancellation is no loss of access, an end is', async () => {
    revenueCat.customers.set(ada.appUserId, [{ ...pro, unsubscribed: '2026-03-05T00:00:00Z' }]);
    await tell(event('CANCELLATION'));
    expect(await ada.subscription()).toMatchObject({ planType: 'PRO', activeAutoRenewal: false, endDate, nextPlan: 'FREE' });
    revenueCat.customers.set(ada.appUserId, [{ ...pro, expires: '2026-03-05T11:59:59Z' }]);
    await tell(event('EXPIRATION'));
    expect(await ada.subscription()).toMatchObject({ planType: 'FREE', endDate: null });
  });

  test('a transfer changes both users', async () => {
    revenueCat.customers.set(ada.appUserId, [pro]);
    await tell(event('INITIAL_PURCHASE'));
    revenueCat.customers.set(bob.appUserId, [pro]).delete(ada.appUserId);
    const transfer = {
      id: randomUUID(),
      type: 'TRANSFER',
      transferred_from: [ada.appUserId, '$RCAnonymousID:1'],
      transferred_to: [bob.appUserId],
    };
    expect((await tell({ event: transfer })).status).toBe(200);
    expect([(await ada.subscription()).planType, (await bob.subscription()).planType]).toEqual(['FREE', 'PRO']);
  });

  test('accepts events about unknown customers', async () => {
    expect((await tell(event('TEST', { app_user_id: '$RCAnonymousID:87c6049c' }))).status).toBe(200);
    expect((await tell(event('TEST', { app_user_id: randomUUID() }))).status).toBe(200);
    expect(revenueCat.asked).toEqual([]);
  });
});
