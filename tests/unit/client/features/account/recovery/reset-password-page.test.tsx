import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { beginReset, resetNote } from '#client/features/account/recovery/reset-note.ts';
import ResetPasswordPage from '#client/features/account/recovery/reset-password-page.tsx';
import { history } from '#client/platform/router/history.ts';
import { MESSAGES } from '#contract/account/account-rules.ts';
import { buttonsWork } from '#tests/support/client/buttons-work.ts';
import { fakeApi, refusal } from '#tests/support/client/fake-api.ts';

const RESET = 'POST /api/auth/reset-password/';
const done = { status: 200, body: { status: 200, message: 'Your password is set.' } };
const grant = { email: 'ada@example.com', recoveryCode: 'a-grant' };

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { exact: true });
const alerts = () => screen.queryAllByRole('alert').map((alert) => alert.textContent);
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Set New Password' });
const submit = () => fireEvent.click(button());
function fill(password = 'Fghij2', repeated = password) {
  fireEvent.change(field('Password'), { target: { value: password } });
  fireEvent.change(field('Confirm Password'), { target: { value: repeated } });
}

async function open() {
  await beginReset(grant);
  const page = render(
    <StrictMode>
      <ResetPasswordPage />
    </StrictMode>,
  );
  await screen.findByRole('button', { name: 'Set New Password' });
  return page;
}

beforeEach(() => {
  sessionStorage.clear();
  window.history.replaceState(null, '', '/reset-password');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('goes back one page without a grant', async () => {
  window.history.replaceState({ depth: 1 }, '', '/reset-password');
  const go = vi.spyOn(window.history, 'go').mockImplementation(() => {});
  render(<ResetPasswordPage />);
  await waitFor(() => expect(go).toHaveBeenCalledExactlyOnceWith(-1));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Set New Password' })).toBeNull());
  go.mockRestore();
});

it('has its texts, focuses the first field and helps password managers', async () => {
  await open();
  expect(screen.getByRole('heading', { name: 'Reset Password' })).toBeDefined();
  expect(screen.getByText('Please type your new password.')).toBeDefined();
  expect(screen.getByText('Min. 6 characters')).toBeDefined();
  await waitFor(() => expect(document.activeElement).toBe(field('Password')));
  expect([field('Password').name, field('Confirm Password').name]).toEqual(['newPassword', 'confirm_password']);
  expect([field('Password').autocomplete, field('Confirm Password').autocomplete]).toEqual(['new-password', 'new-password']);
  expect(screen.getByRole('link', { name: 'Close' }).getAttribute('href')).toBe('/login');
});

it('keeps the grant over a reload, and drops it on leaving', async () => {
  const { unmount } = await open();
  unmount();
  expect(await resetNote.read()).toMatchObject(grant);
  await open();
  act(() => history.push('/login'));
  expect(sessionStorage).toHaveLength(0);
});

it('the grant expires after ten minutes', async () => {
  await beginReset(grant, 0);
  expect(await resetNote.read(10 * 60_000 - 1)).toMatchObject(grant);
  expect(await resetNote.read(10 * 60_000)).toBeUndefined();
});

describe('Set New Password', () => {
  it.each([
    ['', '', [MESSAGES.passwordRequired, MESSAGES.passwordMatch]],
    ['abcdef', 'abcdef', [MESSAGES.passwordRule]],
    ['Fghij2', 'Fghij3', [MESSAGES.passwordMatch]],
  ])('checks before it sends: "%s" / "%s"', async (password, repeated, complaints) => {
    const asked = fakeApi({ [RESET]: done });
    await open();
    fill(password, repeated);
    submit();
    await waitFor(() => expect(alerts()).toEqual(complaints));
    expect(asked).toEqual([]);
  });

  it("sends the grant, shows the server's message and opens login two seconds later", async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const asked = fakeApi({ [RESET]: done });
    await open();
    fill();
    submit();
    expect((await screen.findByRole('status')).textContent).toBe('Your password is set.');
    expect(asked).toEqual([{ call: RESET, body: { email: 'ada@example.com', newPassword: 'Fghij2', recoveryCode: 'a-grant' } }]);
    expect(button().disabled).toBe(true);
    expect(sessionStorage).toHaveLength(0);
    expect(location.pathname).toBe('/reset-password');
    // An effect starts the timer, which on a busy machine can be after the message shows.
    await waitFor(async () => {
      await act(() => vi.advanceTimersByTimeAsync(2_000));
      expect(location.pathname).toBe('/login');
    });
  });

  it("shows the server's refusal, with a link to request a new code", async () => {
    fakeApi({ [RESET]: refusal(400, 'This reset is no longer good.') });
    await open();
    fill();
    submit();
    await waitFor(() => expect(alerts()).toEqual(['This reset is no longer good.']));
    expect(screen.getByRole('link', { name: 'Request a new code' }).getAttribute('href')).toBe('/forgot-password');
  });

  it('keeps the input offline, and can be sent again', async () => {
    fakeApi({});
    await open();
    fill();
    submit();
    await waitFor(() => expect(alerts()).toEqual(['No connection. Please try again when you are online.']));
    expect([field('Password').value, field('Confirm Password').value]).toEqual(['Fghij2', 'Fghij2']);
    fakeApi({ [RESET]: done });
    await buttonsWork();
    submit();
    await screen.findByText('Your password is set.');
  });
});
