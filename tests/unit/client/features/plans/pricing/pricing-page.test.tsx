import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import PricingPage from '#client/features/plans/pricing/pricing-page.tsx';
import { unconfirmedPurchase } from '#client/features/plans/purchase/buy.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { reportReachable, reportUnreachable } from '#client/platform/live/reachability.ts';
import { history } from '#client/platform/router/history.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { useSession } from '#client/platform/session/use-session.ts';
import type { Subscription } from '#contract/subscription.ts';
import { profileOf } from '#tests/support/accounts/profile.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { type Answers, fakeApi, refusal } from '#tests/support/client/fake-api.ts';

const FREE: Subscription = {
  planType: 'FREE',
  extraChatAnalysis: 3,
  extraQuestions: 10,
  activeAutoRenewal: false,
  endDate: null,
  nextPlan: null,
  appUserId: 'app-1',
};
const PRO: Subscription = { ...FREE, planType: 'PRO', activeAutoRenewal: true, endDate: '2025-03-05T00:00:00.000Z' };
const ok = (data: unknown) => ({ status: 200, body: { status: 200, data } });

/** The server's user, which a purchase changes. */
let held: Subscription;
const user = () => profileOf({ userSubscription: held });
const BUY = 'POST /api/buy-subscription';
const PAY = 'POST /api/test-store/purchases';
const server = (store: 'test' | 'none'): Answers => ({
  'GET /api/auth/user/user-1/': () => ok(user()),
  'GET /api/config': ok({ mailbox: false, analyst: 'built-in', store }),
  [PAY]: ok({ receipt: 'receipt-1' }),
  [BUY]: () => {
    held = PRO;
    return ok(held);
  },
});
const message = { type: 'purchase', productId: 'pro_monthly', appUserId: 'app-1' };
const tell = (data: unknown, from: MessageEventInit = { origin: window.location.origin }) =>
  act(() => window.dispatchEvent(new MessageEvent('message', { data, ...from })));

/** A minimal version of the app's guard. */
const Page = () => useSession().status === 'signed-in' && <PricingPage />;

async function open(address = '/pricing', subscription = FREE) {
  held = subscription;
  await userDb('user-1').profile.put(user());
  history.replace(address);
  const listening = vi.spyOn(window, 'addEventListener');
  render(
    <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>
      <Page />
    </SWRConfig>,
  );
  await screen.findByRole('radio', { name: /^Free/ });
  // Waits for effects, which add the listener after the first render.
  await waitFor(() => expect(listening).toHaveBeenCalledWith('message', expect.anything()));
  listening.mockRestore();
}

beforeEach(async () => {
  await userDb('user-1').delete();
  await userDb('user-1').open();
  await signIn(makeTokens(), true);
  reportReachable();
});
afterEach(async () => {
  vi.unstubAllGlobals();
  delete window.ReactNativeWebView;
  unconfirmedPurchase.drop();
  await endSession();
});

it('selects a plan other than the current one, and shows its features', async () => {
  fakeApi(server('test'));
  await open();
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /^Pro/ }).checked).toBe(true);
  expect(screen.getByRole('radio', { name: /^Pro.*Most Popular/ })).toBeDefined();
  expect(screen.getByRole('radio', { name: /^Free.*Current Plan/ })).toBeDefined();
  expect(screen.getByRole('link', { name: 'Buy Now $24.99' }).getAttribute('href')).toBe('/pricing#pro');
  fireEvent.click(screen.getByRole('radio', { name: /^Premium/ }));
  expect(screen.getByText('Unlimited trading bot')).toBeDefined();
  fireEvent.click(screen.getByRole('radio', { name: /^Free/ }));
  expect(screen.queryByRole('link')).toBeNull();
});

it('buys in the test store once, however often the button is pressed, and shows the granted plan', async () => {
  const asked = fakeApi(server('test'));
  await open();
  fireEvent.click(screen.getByRole('link', { name: /Buy Now/ }));
  const pay = await screen.findByRole('button', { name: 'Pay $24.99' });
  expect(window.location.hash).toBe('#pro');
  expect(screen.getByText('Test store · no money moves')).toBeDefined();
  fireEvent.click(pay);
  fireEvent.click(pay);
  await screen.findByText('You are on Pro.');
  const posts = asked.filter(({ call }) => call.startsWith('POST'));
  expect(posts).toEqual([
    { call: PAY, body: { productId: 'pro_monthly', outcome: 'paid' } },
    { call: BUY, body: { userId: 'user-1', planType: 'PRO', appUserId: 'app-1', receipt: 'receipt-1' } },
  ]);
  expect(await screen.findByRole('radio', { name: /^Pro.*Current Plan/ })).toBeDefined();
  await waitFor(async () => expect((await userDb('user-1').profile.get('user-1'))?.userSubscription.planType).toBe('PRO'));
});

it("shows the store's refusal, and that nothing was charged", async () => {
  fakeApi({ ...server('test'), [PAY]: refusal(402, 'The payment was declined. Nothing was bought.') });
  await open('/pricing#pro');
  fireEvent.click(await screen.findByRole('button', { name: 'Decline' }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('The payment was declined.');
  expect(alert.textContent).toContain('You stay on Free');
  expect(held).toBe(FREE);
});

it('retries an unanswered purchase under the same key, even after a reload', async () => {
  const keys: (string | null)[] = [];
  const answers = server('none');
  let lost = true;
  fakeApi(answers);
  const real = fetch;
  vi.stubGlobal('fetch', (input: string, init: RequestInit = {}) => {
    if (!input.includes('/buy-subscription')) return real(input, init);
    keys.push(new Headers(init.headers).get('Idempotency-Key'));
    return lost ? Promise.reject(new TypeError('Failed to fetch')) : real(input, init);
  });
  await open();
  tell(message);
  await screen.findByText('The purchase could not be confirmed.');
  act(() => reportReachable());
  lost = false;
  cleanup();
  await open();
  await screen.findByText('You are on Pro.');
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  await waitFor(async () => expect(await unconfirmedPurchase.read()).toBeUndefined());
});

it.each([
  ['from another origin', message, { origin: 'https://elsewhere.example' }],
  ['from a frame without an origin', message, { origin: 'null' }],
  ['without an origin where there is no shell', message, { origin: '' }],
  ['of another user', { ...message, appUserId: 'app-2' }, undefined],
  ['for another product', { ...message, productId: 'gold_monthly' }, undefined],
  ['of another kind', { ...message, type: 'buy' }, undefined],
  ['that is no message', 'hello', undefined],
])('ignores a purchase %s', async (_case, data, from) => {
  const asked = fakeApi(server('none'));
  await open();
  tell(data, from);
  await screen.findByRole('link', { name: /Buy Now/ });
  await new Promise((resolve) => setTimeout(resolve));
  expect(asked.filter(({ call }) => call === BUY)).toEqual([]);
});

it('sends one request per address to the shell, and accepts messages of its bridge', async () => {
  const asked: unknown[] = [];
  window.ReactNativeWebView = { postMessage: (text) => asked.push(JSON.parse(text)) };
  const calls = fakeApi(server('none'));
  await open();
  fireEvent.click(screen.getByRole('link', { name: /Buy Now/ }));
  await screen.findByText('Continue in your app store');
  fireEvent.click(screen.getByRole('link', { name: /Buy Now/ }));
  const request = { type: 'purchase-request', anchor: '#pro', productId: 'pro_monthly', appUserId: 'app-1' };
  expect(asked).toEqual([request]);
  fireEvent.click(screen.getByRole('button', { name: 'Open the store again' }));
  await waitFor(() => expect(asked).toEqual([request, request]));
  tell(JSON.stringify(message), { origin: '' });
  await screen.findByText('You are on Pro.');
  expect(calls.filter(({ call }) => call === BUY)).toHaveLength(1);
});

it('says how to buy without a store, and restores purchases', async () => {
  const asked = fakeApi(server('none'));
  await open('/pricing#premium');
  expect(await screen.findByText(/log in as ada@example.com/)).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Restore purchases' }));
  await screen.findByText('You are on Pro.');
  expect(asked.find(({ call }) => call === BUY)?.body).toEqual({ userId: 'user-1', planType: 'FREE', appUserId: 'app-1' });
});

it('refuses offline, with the reason at the button and without a request', async () => {
  const asked = fakeApi(server('test'));
  await open();
  act(() => reportUnreachable());
  const button = await screen.findByRole('button', { name: 'Buy Now $24.99' });
  const reason = document.getElementById(button.getAttribute('aria-describedby') ?? '');
  expect(reason?.textContent).toBe('You can change plans once you are online. Nothing is queued.');
  expect(button.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(button);
  fireEvent.click(screen.getByRole('button', { name: 'Restore purchases' }));
  expect(window.location.hash).toBe('');
  expect(asked.filter(({ call }) => call.startsWith('POST'))).toEqual([]);
});

it('compares all plans in a table, and marks the selected one', async () => {
  await open();
  const table = screen.getByRole('table', { name: 'What a month of each plan has' });
  const rows = [...table.querySelectorAll('tr')].map((row) => [...row.children].map(({ textContent }) => textContent));
  expect(rows).toEqual([
    ['', 'Free', 'Basic', 'Pro', 'Premium'],
    ['General questions', '10', '30', '100', 'Unlimited'],
    ['Chart analyses', '3', '20', '40', 'Unlimited'],
    ['Trading bot', 'First 30 days', 'First 30 days', 'First 30 days', 'Unlimited'],
    ['Priority support', 'No', 'No', 'No', 'Yes'],
  ]);
  fireEvent.click(screen.getByRole('radio', { name: /^Basic/ }));
  expect(table.querySelector('[aria-current=true]')?.textContent).toBe('Basic');
});
