import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY, MINUTE } from '#domain/clock.ts';
import { notifications } from '#server/db/schema/notifications.ts';
import { storeEvents, subscriptions } from '#server/db/schema/subscriptions.ts';
import { createAllowances } from '#server/modules/allowances/service.ts';
import { createNotifications } from '#server/modules/notifications/service.ts';
import { createPlanOf } from '#server/modules/subscriptions/current-plan.ts';
import { createSubscriptions } from '#server/modules/subscriptions/service.ts';
import { openPayments } from '#server/ports/payments/open-payments.ts';
import { type Customer, customerOf } from '#tests/support/plans/customer.ts';
import { type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const START = Date.UTC(2026, 2, 5, 12);
let now = START;
let server: TestServer;
let who: SignedUp;
let ada: Customer;

const at = (date: string) => `${date}T12:00:00.000Z`;

beforeAll(async () => {
  server = await startServer({ clock: () => now });
});
afterAll(() => server.close());
beforeEach(async () => {
  now = START;
  who = await server.signUp();
  ada = await customerOf(server, who);
});

/** Moves the clock and signs in again, because a token expires long before a billing period. */
async function goTo(time: number): Promise<void> {
  now = time;
  const login = await server.post('/auth/login/', { email: who.user.email, password: who.password });
  const { data } = await login.json();
  ada = await customerOf(server, { ...who, authorization: `Bearer ${data.accessToken}` });
}

const change = async (what: string) => (await ada.post('/test-store/changes', { change: what })).status;

test('every user starts on the Free plan, with an app user id for the store', async () => {
  expect(await ada.subscription()).toEqual({
    planType: 'FREE',
    extraChatAnalysis: 3,
    extraQuestions: 10,
    activeAutoRenewal: false,
    endDate: null,
    nextPlan: null,
    appUserId: expect.stringMatching(/^[\da-f-]{36}$/),
  });
});

test('the server says that the test store is open', async () => {
  expect(await (await fetch(`${server.url}/api/config`)).json()).toMatchObject({ data: { store: 'test' } });
});

describe('a purchase', () => {
  test('grants its plan for a month, with its allowances', async () => {
    const pro = { planType: 'PRO', extraChatAnalysis: 40, extraQuestions: 100, activeAutoRenewal: true, endDate: at('2026-04-05') };
    expect(await ada.buy('pro_monthly')).toMatchObject({ ...pro, nextPlan: null });
    expect(await ada.subscription()).toMatchObject(pro);
  });

  test('by itself grants nothing until it is made known', async () => {
    await ada.receipt('premium_monthly');
    expect(await ada.subscription()).toMatchObject({ planType: 'FREE' });
    expect((await ada.claim({ planType: 'PREMIUM' })).status).toBe(402);
  });

  test('that is declined is answered with the reason', async () => {
    const declined = await ada.post('/test-store/purchases', { productId: 'pro_monthly', outcome: 'declined' });
    expect(declined.status).toBe(402);
    expect(await declined.json()).toMatchObject({ code: 'declined', message: 'The payment was declined. Nothing was bought.' });
  });

  test('upgrades at once, and downgrades when the period ends', async () => {
    await ada.buy('pro_monthly');
    now += MINUTE;
    expect(await ada.buy('premium_monthly')).toMatchObject({ planType: 'PREMIUM', extraChatAnalysis: -1, nextPlan: null });
    expect(await ada.buy('basic_monthly')).toMatchObject({ planType: 'PREMIUM', nextPlan: 'BASIC', activeAutoRenewal: true });
    await goTo(START + 32 * DAY);
    expect(await ada.subscription()).toMatchObject({ planType: 'BASIC', nextPlan: null, endDate: '2026-05-05T12:01:00.000Z' });
  });

  test('whose answer was lost is counted once, and answered as before', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = { planType: 'PRO', receipt: await ada.receipt('pro_monthly') };
    const first = await ada.claim(body, key);
    const again = await ada.claim(body, key);
    expect([again.status, await again.json()]).toEqual([200, await first.json()]);
    const without = await ada.claim(body);
    expect([without.status, (await without.json()).code]).toEqual([409, 'receipt_used']);
  });

  test('that arrives many times at once is counted once', async () => {
    const counted = await server.db.$count(storeEvents);
    const body = { planType: 'PRO', receipt: await ada.receipt('pro_monthly') };
    const statuses = (await Promise.all(Array.from({ length: 6 }, () => ada.claim(body)))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(await server.db.$count(storeEvents)).toBe(counted + 1);
  });

  test('is restored without a new one', async () => {
    await ada.buy('pro_monthly');
    await server.db.delete(subscriptions);
    expect(await ada.subscription()).toMatchObject({ planType: 'FREE' });
    const restored = await ada.claim({ planType: 'FREE' });
    expect(await restored.json()).toMatchObject({ status: 200, data: { planType: 'PRO', endDate: at('2026-04-05') } });
  });

  test('that never was is not restored', async () => {
    const restored = await ada.claim({ planType: 'FREE' });
    expect(await restored.json()).toMatchObject({ status: 200, data: { planType: 'FREE' } });
  });
});

describe('a period', () => {
  test('that was cancelled lasts until its end', async () => {
    await ada.buy('pro_monthly');
    expect(await change('cancel')).toBe(200);
    const cancelled = { planType: 'PRO', activeAutoRenewal: false, nextPlan: 'FREE', endDate: at('2026-04-05') };
    expect(await ada.subscription()).toMatchObject(cancelled);
    await goTo(Date.parse(at('2026-04-05')) - 1);
    expect(await ada.subscription()).toMatchObject(cancelled);
    await goTo(Date.parse(at('2026-04-05')));
    expect(await ada.subscription()).toMatchObject({ planType: 'FREE', extraChatAnalysis: 3, endDate: null, nextPlan: null });
  });

  test('renews as time passes', async () => {
    await ada.buy('pro_monthly');
    await goTo(Date.parse(at('2026-06-20')));
    expect(await ada.subscription()).toMatchObject({ planType: 'PRO', activeAutoRenewal: true, endDate: at('2026-07-05') });
  });

  test('can be resumed, renewed and ended at the store', async () => {
    await ada.buy('premium_monthly');
    await change('cancel');
    expect(await change('renew')).toBe(409);
    expect(await change('resume')).toBe(200);
    expect(await ada.subscription()).toMatchObject({ activeAutoRenewal: true, nextPlan: null });
    expect(await change('renew')).toBe(200);
    expect(await ada.subscription()).toMatchObject({ planType: 'PREMIUM', endDate: at('2026-05-05') });
    expect(await change('expire')).toBe(200);
    expect(await ada.subscription()).toMatchObject({ planType: 'FREE' });
    for (const what of ['cancel', 'resume', 'renew', 'expire']) expect(await change(what)).toBe(409);
  });
});

test('the user is notified of changes and of nothing else', async () => {
  await ada.buy('pro_monthly');
  await ada.buy('basic_monthly');
  for (const what of ['cancel', 'cancel', 'resume', 'renew', 'expire']) await change(what);
  await ada.claim({ planType: 'FREE' });
  const list = await server.db.select().from(notifications).where(eq(notifications.userId, who.user.id));
  expect(list.map(({ kind, link }) => [kind, link])).toEqual(list.map(() => ['subscription', '/settings/manage-subscription']));
  expect(list.map(({ text }) => text).sort()).toEqual([
    'You are on the Pro plan now.',
    'Your Pro plan becomes Basic on 5th Apr 2026.',
    'Your Pro plan does not renew. You have it until 5th Apr 2026.',
    'Your Pro plan has ended. You are on the Free plan.',
    'Your Pro plan renews on 5th Apr 2026.',
    'Your Pro plan was renewed until 5th May 2026.',
  ]);
});

describe('the end of a plan', () => {
  const texts = async () => {
    const list = await server.db.select().from(notifications).where(eq(notifications.userId, who.user.id));
    return list.filter(({ kind, text }) => kind === 'subscription' && text !== 'You are on the Premium plan now.').map(({ text }) => text);
  };
  /** Runs the periodic update on this server and on a second one with the same database. */
  const catchUp = async () => {
    const { db, config } = server;
    const clock = () => now;
    const payments = openPayments(config, clock);
    const allowances = createAllowances({ clock, planOf: createPlanOf({ clock, store: payments.kind }) });
    const { notify } = createNotifications({ db, clock });
    const processes = [1, 2].map(() => createSubscriptions({ db, clock, payments, allowances, notify, report: fail }));
    await Promise.all([...processes, ...processes].map(({ tellEnded }) => tellEnded()));
  };
  const fail = (error: unknown) => {
    throw error;
  };

  test('that was canceled is notified once, read or not', async () => {
    await ada.buy('premium_monthly');
    await change('cancel');
    now = Date.parse(at('2026-04-05')) - 1;
    await catchUp();
    expect(await texts()).toHaveLength(1); // Of the cancellation.
    now += 1;
    await catchUp();
    await goTo(now + 1);
    await Promise.all([ada.subscription(), ada.subscription()]);
    await catchUp();
    await goTo(now + 90 * DAY);
    await ada.subscription();
    expect((await texts()).slice(1)).toEqual(['Your Premium plan has ended. You are on the Free plan.']);
  });

  test('is notified at the first read, if that comes first', async () => {
    await ada.buy('premium_monthly');
    await change('cancel');
    await goTo(Date.parse(at('2026-04-07')));
    await Promise.all([ada.subscription(), ada.subscription(), ada.subscription()]);
    await catchUp();
    expect((await texts()).slice(1)).toEqual(['Your Premium plan has ended. You are on the Free plan.']);
  });

  test('that continues on a lower plan names that plan', async () => {
    await ada.buy('premium_monthly');
    await ada.buy('basic_monthly');
    now = Date.parse(at('2026-04-05')) + MINUTE;
    await catchUp();
    await catchUp();
    await goTo(now);
    expect(await ada.subscription()).toMatchObject({ planType: 'BASIC' });
    expect((await texts()).slice(1)).toEqual(['You are on the Basic plan now.']);
  });

  test('that was renewed is notified as renewed', async () => {
    await ada.buy('premium_monthly');
    now = Date.parse(at('2026-04-05'));
    await catchUp();
    await catchUp();
    expect(await texts()).toEqual(['Your Premium plan was renewed until 5th May 2026.']);
  });

  test('is checked by the server every few minutes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const other = await startServer({ clock: () => now });
    try {
      const bob = await customerOf(other);
      await bob.buy('basic_monthly');
      await bob.post('/test-store/changes', { change: 'cancel' });
      now = Date.parse(at('2026-05-01'));
      vi.advanceTimersByTime(5 * MINUTE);
      await vi.waitFor(async () => {
        const told = await other.db.select().from(notifications);
        expect(told.map(({ text }) => text)).toContain('Your Basic plan has ended. You are on the Free plan.');
      });
    } finally {
      vi.useRealTimers();
      await other.close();
    }
  });
});

describe('where the test store is not open', () => {
  test.each([{ PUBLIC_URL: 'https://tidemark.example' }, { TEST_STORE: 'off' }])('%j: it sells and grants nothing', async (env) => {
    const closed = await startServer({ env });
    try {
      const bob = await customerOf(closed);
      expect(await (await fetch(`${closed.url}/api/config`)).json()).toMatchObject({ data: { store: 'none' } });
      expect((await bob.post('/test-store/purchases', { productId: 'pro_monthly', outcome: 'paid' })).status).toBe(404);
      expect((await bob.post('/test-store/changes', { change: 'renew' })).status).toBe(404);
      expect((await bob.claim({ planType: 'PRO' })).status).toBe(503);
      // Purchases from the test store on the same database don't count here.
      const left = { plan: 'PREMIUM', store: 'test', endsAt: new Date(Date.now() + DAY), renews: true, verifiedAt: new Date() } as const;
      await closed.db.insert(subscriptions).values({ userId: bob.who.user.id, ...left });
      expect(await bob.subscription()).toMatchObject({ planType: 'FREE' });
    } finally {
      await closed.close();
    }
  });
});
