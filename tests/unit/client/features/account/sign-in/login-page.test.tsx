import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import LoginPage from '#client/features/account/sign-in/login-page.tsx';
import { deviceDb } from '#client/platform/db/device-db.ts';
import { isOnboardingClosed } from '#client/platform/flags.ts';
import { endSession, sessionState } from '#client/platform/session/session.ts';
import { MESSAGES } from '#contract/account/account-rules.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { buttonsWork } from '#tests/support/client/buttons-work.ts';
import { type Answers, fakeApi, refusal } from '#tests/support/client/fake-api.ts';

const LOGIN = 'POST /api/auth/login/';
const welcome: Answers = { [LOGIN]: { status: 200, body: { status: 200, data: makeTokens() } } };

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { exact: true });
const errors = () => screen.queryAllByRole('alert').map((alert) => alert.textContent?.trim());
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Log In' }));

function fill(email = 'ada@example.com', password = 'Abcde1') {
  fireEvent.change(field('Email'), { target: { value: email } });
  fireEvent.change(field('Password'), { target: { value: password } });
}

beforeEach(async () => {
  await endSession();
  localStorage.clear();
  window.history.replaceState(null, '', '/login');
});
afterEach(() => vi.unstubAllGlobals());

it('focuses the password field, with Remember Me checked', async () => {
  render(<LoginPage />);
  await waitFor(() => expect(document.activeElement).toBe(field('Password')));
  expect(field('Remember Me').checked).toBe(true);
  expect(screen.getByRole('heading', { name: 'Welcome Back' })).toBeDefined();
  expect(screen.getByRole('link', { name: 'Forgot Password?' }).getAttribute('href')).toBe('/forgot-password');
  expect(screen.getByRole('link', { name: 'Sign Up' }).getAttribute('href')).toBe('/sign-up');
});

it.each([
  ['', '', [MESSAGES.emailRequired, MESSAGES.passwordRequired]],
  ['ada', 'Abcde1', [MESSAGES.emailFormat]],
  ['ada@example.com', 'abcdef', [MESSAGES.passwordRule]],
])('checks before it sends: "%s" / "%s"', async (email, password, expected) => {
  const asked = fakeApi(welcome);
  render(<LoginPage />);
  fill(email, password);
  submit();
  await waitFor(() => expect(errors()).toEqual(expected));
  expect(asked).toEqual([]);
});

describe('the right password', () => {
  it.each([true, false])('stores the session (Remember Me: %s), ends onboarding and goes home', async (remember) => {
    const asked = fakeApi(welcome);
    const before = window.history.length;
    render(<LoginPage />);
    fill();
    if (!remember) fireEvent.click(field('Remember Me'));
    submit();
    await waitFor(() => expect(location.pathname).toBe('/home'));
    expect(asked).toEqual([{ call: LOGIN, body: { email: 'ada@example.com', password: 'Abcde1' } }]);
    expect(sessionState()).toMatchObject({ status: 'signed-in', claims: { sub: 'user-1' } });
    expect(isOnboardingClosed()).toBe(true);
    expect(window.history.length).toBe(before); // replaced: Back does not return to the form
    const row = await deviceDb.session.get('current');
    expect(row?.window === null).toBe(remember);
  });
});

describe('a refusal', () => {
  it.each([
    ['isVerified 1', refusal(400, 'Invalid email or password', { isVerified: 1 }), 'Invalid email or password', false],
    [
      'isVerified 2',
      refusal(400, 'Please verify your email address first.', { isVerified: 2 }),
      'Please verify your email address first. Verify Email',
      true,
    ],
    ['anything else', refusal(429, 'Too many tries.'), 'Too many tries.', false],
  ])('%s', async (_, answer, message, offersVerification) => {
    fakeApi({ [LOGIN]: answer });
    render(<LoginPage />);
    fill();
    submit();
    await waitFor(() => expect(errors()).toEqual([message]));
    expect(screen.queryByRole('link', { name: 'Verify Email' })?.getAttribute('href')).toBe(
      offersVerification ? '/verify-email' : undefined,
    );
    expect(sessionState().status).toBe('signed-out');
    expect(location.pathname).toBe('/login');
  });

  it('disappears when the screen is left', async () => {
    fakeApi({ [LOGIN]: refusal(400, 'Invalid email or password', { isVerified: 1 }) });
    const { unmount } = render(<LoginPage />);
    fill();
    submit();
    await waitFor(() => expect(errors()).toHaveLength(1));
    unmount();
    render(<LoginPage />);
    expect(errors()).toEqual([]);
  });

  it('by the network keeps the input, and the next attempt clears the message', async () => {
    fakeApi({});
    render(<LoginPage />);
    fill();
    submit();
    await waitFor(() => expect(errors()).toEqual(['No connection. Please try again when you are online.']));
    expect([field('Email').value, field('Password').value]).toEqual(['ada@example.com', 'Abcde1']);
    fakeApi(welcome);
    await buttonsWork();
    submit();
    await waitFor(() => expect(location.pathname).toBe('/home'));
    expect(errors()).toEqual([]);
  });
});
