import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { refreshRates } from '#client/coins/money/choose-money.ts';
import { formatPrice, showMoney } from '#client/coins/money/money.ts';
import { keepRates, keptRates } from '#client/coins/money/other-money.ts';
import { DisplayCurrency } from '#client/features/account/settings/display-currency.tsx';
import { deviceDb } from '#client/platform/db/device-db.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { fakeApi } from '#tests/support/client/fake-api.ts';

const RATES = 'GET /api/coin-market/rates';
const TODAY = new Date().toISOString().slice(0, 10);
const all = { EUR: 0.5, GBP: 0.79, JPY: 152.4, CHF: 0.88, CAD: 1.39, AUD: 1.53, INR: 84.4, BRL: 5.8, KRW: 1398, TRY: 34.5 };
const rates = { date: TODAY, source: 'Reference rates', rates: all };
const answering = (data: object) => fakeApi({ [RATES]: { status: 200, body: { status: 200, data } } });

const choose = async (name: RegExp) => {
  fireEvent.click(screen.getByRole('button', { name: /Display currency/ }));
  fireEvent.click(await screen.findByRole('option', { name }));
};

beforeEach(async () => {
  await signIn(makeTokens(), true);
});
afterEach(async () => {
  cleanup();
  showMoney(undefined);
  localStorage.removeItem('display-currency');
  localStorage.removeItem('display-rates');
  await endSession();
  vi.unstubAllGlobals();
});

it('shows market figures in the chosen currency, says the rate, and forgets stored screens', async () => {
  answering(rates);
  await deviceDb.screens.clear();
  render(<DisplayCurrency />);
  await choose(/EUR/);
  expect(await screen.findByText(/1 USD = 0.5 EUR, .*, Reference rates/)).toBeDefined();
  expect(formatPrice(10)).toBe('€5.00');
  expect(localStorage.getItem('display-currency')).toBe('EUR');
  await choose(/USD/);
  await waitFor(() => expect(formatPrice(10)).toBe('$10.00'));
  expect(localStorage.getItem('display-currency')).toBeNull();
});

it('works without a connection by the rates that the device has', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  keepRates({ ...rates, date: '2026-01-01' });
  render(<DisplayCurrency />);
  await choose(/KRW/);
  expect(await screen.findByText(/1 USD = 1,398 KRW, Jan 1, 2026, Reference rates/)).toBeDefined();
});

it('stays as it was, and says so, without a rate', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  render(<DisplayCurrency />);
  await choose(/EUR/);
  expect((await screen.findByRole('alert')).textContent).toMatch(/No connection/);
  expect(screen.getByRole('button', { name: /Display currency/ }).textContent).toContain('USD');
  expect(formatPrice(10)).toBe('$10.00');
});

it('fetches rates that are older than a day, or from the future, and no others', async () => {
  answering(rates);
  const now = Date.parse(TODAY) + 1;
  for (const date of ['2020-01-01', '2099-01-01']) {
    keepRates({ ...rates, date });
    await refreshRates(now);
    expect(keptRates()?.date).toBe(TODAY);
  }
  vi.stubGlobal('fetch', () => Promise.reject(new Error('asked')));
  await refreshRates(now);
  expect(keptRates()?.date).toBe(TODAY);
});
