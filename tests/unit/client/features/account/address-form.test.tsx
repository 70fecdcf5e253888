import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import ForgotPasswordPage from '#client/features/account/recovery/forgot-password-page.tsx';
import { verificationNote } from '#client/features/account/verification/verification-note.ts';
import VerifyEmailPage from '#client/features/account/verification/verify-email-page.tsx';
import { MESSAGES } from '#contract/account/account-rules.ts';
import { buttonsWork } from '#tests/support/client/buttons-work.ts';
import { fakeApi, refusal } from '#tests/support/client/fake-api.ts';

const FORGOT = 'POST /api/auth/forgot-password/';
const RESEND = 'POST /api/auth/resend-verification-code/';
const sent = { status: 200, body: { status: 200, message: 'Sent.', data: { email: 'ada@example.com' } } };

const field = () => screen.getByLabelText<HTMLInputElement>('Email');
const alerts = () => screen.queryAllByRole('alert').map((alert) => alert.textContent);
const type = (email: string) => fireEvent.change(field(), { target: { value: email } });

beforeEach(() => {
  sessionStorage.clear();
  window.history.replaceState(null, '', '/here');
});
afterEach(() => vi.unstubAllGlobals());

it('describes a password reset, and links to login twice', async () => {
  render(<ForgotPasswordPage />);
  expect(screen.getByRole('heading', { name: 'Forgot Password' })).toBeDefined();
  expect(screen.getByText('Please enter a email address to request a password reset.')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Wait, I remember my password' }).getAttribute('href')).toBe('/login');
  expect(screen.getByRole('link', { name: 'Close' }).getAttribute('href')).toBe('/login');
  await waitFor(() => expect(document.activeElement).toBe(field()));
  expect(field().autocomplete).toBe('username');
});

it('describes an email verification, and links to login', async () => {
  render(<VerifyEmailPage />);
  expect(screen.getByRole('heading', { name: 'Email Verify' })).toBeDefined();
  expect(screen.getByText('Please enter a email address to request a email verification.')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Back' }).getAttribute('href')).toBe('/login');
  await waitFor(() => expect(document.activeElement).toBe(field()));
});

describe.each([
  ['/forgot-password', ForgotPasswordPage, 'Send Reset Otp', FORGOT, 'forgot-password'],
  ['/verify-email', VerifyEmailPage, 'Send Otp', RESEND, 'email'],
] as const)('%s', (_path, Page, action, call, purpose) => {
  const submit = () => fireEvent.click(screen.getByRole('button', { name: action }));

  it.each([
    ['', MESSAGES.emailRequired],
    ['ada@example', MESSAGES.emailFormat],
  ])('validates the address before it is sent: "%s"', async (email, complaint) => {
    const asked = fakeApi({ [call]: sent });
    render(<Page />);
    type(email);
    submit();
    await waitFor(() => expect(alerts()).toEqual([complaint]));
    expect(asked).toEqual([]);
  });

  it('requests the code, seals the address for the code screen and opens it', async () => {
    const asked = fakeApi({ [call]: sent });
    render(<Page />);
    type('ada@example.com');
    submit();
    await waitFor(() => expect(location.pathname).toBe('/verification-email'));
    expect(asked).toEqual([{ call, body: { email: 'ada@example.com' } }]);
    expect(Object.values(sessionStorage).map(atob).join()).not.toContain('ada');
    const kept = await verificationNote.read();
    expect(kept).toMatchObject({ purpose, email: 'ada@example.com' });
    expect(kept?.password).toBeUndefined();
  });

  it("shows the server's refusal", async () => {
    fakeApi({ [call]: refusal(400, 'Not with this address.') });
    render(<Page />);
    type('ada@example.com');
    submit();
    await waitFor(() => expect(alerts()).toEqual(['Not with this address.']));
    expect(location.pathname).toBe('/here');
    expect(sessionStorage).toHaveLength(0);
  });

  it('keeps the input offline, says so, and can be sent again', async () => {
    fakeApi({});
    render(<Page />);
    type('ada@example.com');
    submit();
    await waitFor(() => expect(alerts()).toEqual(['No connection. Please try again when you are online.']));
    expect(field().value).toBe('ada@example.com');
    fakeApi({ [call]: sent });
    await buttonsWork();
    submit();
    await waitFor(() => expect(location.pathname).toBe('/verification-email'));
  });
});
