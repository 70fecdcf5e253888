import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resetNote } from '#client/features/account/recovery/reset-note.ts';
import { VerificationForm } from '#client/features/account/verification/verification-form.tsx';
import { type Verification, verificationNote } from '#client/features/account/verification/verification-note.ts';
import { endSession, sessionState } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { buttonsWork } from '#tests/support/client/buttons-work.ts';
import { type Answers, fakeApi, refusal } from '#tests/support/client/fake-api.ts';

const VERIFY = 'POST /api/auth/verify-otp/';
const RESEND = 'POST /api/auth/resend-verification-code/';
const VERIFY_RESET = 'POST /api/auth/verify-recovery-code/';
const FORGOT = 'POST /api/auth/forgot-password/';
const LOGIN = 'POST /api/auth/login/';
const CONFIG = 'GET /api/config';
const done = { status: 200, body: { status: 200, message: 'Done.' } };
const server: Answers = {
  [VERIFY]: done,
  [RESEND]: done,
  [LOGIN]: { status: 200, body: { status: 200, data: makeTokens() } },
  [CONFIG]: { status: 200, body: { status: 200, data: { mailbox: false, analyst: 'built-in' } } },
};

const START = Date.UTC(2026, 0, 1);
const SECOND = 1_000;
const verification: Verification = {
  purpose: 'sign-up',
  email: 'ada@example.com',
  password: 'Abcde1',
  registration: '00000000-0000-4000-8000-000000000001',
  codeEndsAt: START + 180 * SECOND,
  expiresAt: START + 600 * SECOND,
};

const timer = () => screen.getByRole('timer').textContent;
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const boxes = () => screen.getAllByRole<HTMLInputElement>('textbox');
const typed = () =>
  boxes()
    .map((box) => box.value)
    .join('');
const typeCode = (code = '4711') => fireEvent.change(boxes()[0] as HTMLInputElement, { target: { value: code } });
const calls = (asked: { call: string }[]) => asked.map(({ call }) => call).filter((call) => call !== CONFIG);
/** Moves the clock. The countdown's interval runs in real time, so tests wait for it. */
const later = (seconds: number) => vi.setSystemTime(START + seconds * SECOND);

beforeEach(async () => {
  await endSession();
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  sessionStorage.clear();
  window.history.replaceState(null, '', '/verification-email');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('names the address with its local part hidden', () => {
  fakeApi(server);
  const { container } = render(<VerificationForm verification={verification} />);
  expect(container.textContent).toContain('***@example.com');
  expect(container.textContent).not.toContain('ada');
});

describe('the countdown', () => {
  it('runs from 180 s to 0 by the clock, even after the tab was suspended', async () => {
    fakeApi(server);
    render(<VerificationForm verification={verification} />);
    expect(timer()).toBe('The code expires in 3:00');
    later(1);
    await waitFor(() => expect(timer()).toBe('The code expires in 2:59'));
    later(179.5);
    await waitFor(() => expect(timer()).toBe('The code expires in 0:01'));
    later(500);
    await waitFor(() => expect(timer()).toBe('The code has expired'));
  });

  it('continues after a reload', () => {
    later(100);
    fakeApi(server);
    render(<VerificationForm verification={verification} />);
    expect(timer()).toBe('The code expires in 1:20');
  });
});

describe('Verify', () => {
  it('needs four digits, and ends with the countdown', async () => {
    fakeApi({ ...server, [VERIFY]: refusal(400, 'The code is not correct.') });
    render(<VerificationForm verification={verification} />);
    expect(button('Verify').disabled).toBe(true);
    typeCode('471');
    await waitFor(() => expect(boxes().map((box) => box.value)).toEqual(['4', '7', '1', '']));
    expect(button('Verify').disabled).toBe(true);
    typeCode();
    await waitFor(() => expect(button('Verify').disabled).toBe(false));
    later(180);
    await waitFor(() => expect(button('Verify').disabled).toBe(true));
  });

  it('sends the code, logs in with the stored password, drops it and goes home', async () => {
    const asked = fakeApi(server);
    await verificationNote.keep(verification);
    render(<VerificationForm verification={verification} />);
    typeCode();
    await waitFor(() => expect(location.pathname).toBe('/home'));
    expect(asked.filter(({ call }) => call !== CONFIG)).toEqual([
      { call: VERIFY, body: { email: 'ada@example.com', recoveryCode: '4711', registration: verification.registration } },
      { call: LOGIN, body: { email: 'ada@example.com', password: 'Abcde1' } },
    ]);
    expect(sessionState().status).toBe('signed-in');
    expect(await verificationNote.read()).toBeUndefined();
  });

  it("shows the server's refusal with an icon, and keeps the digits", async () => {
    const asked = fakeApi({ ...server, [VERIFY]: refusal(400, 'The code is not correct.') });
    render(<VerificationForm verification={verification} />);
    typeCode();
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe('The code is not correct.');
    expect(alert.querySelector('svg')).not.toBeNull();
    expect(typed()).toBe('4711');
    expect(document.activeElement).toBe(boxes()[0]);
    expect(calls(asked)).toEqual([VERIFY]);
    await buttonsWork();
    fireEvent.click(button('Verify'));
    await waitFor(() => expect(calls(asked)).toEqual([VERIFY, VERIFY]));
  });

  it('is not needed: the last digit sends the code, once', async () => {
    const asked = fakeApi({ ...server, [VERIFY]: refusal(400, 'The code is not correct.') });
    render(<VerificationForm verification={verification} />);
    for (const [index, digit] of [...'4711'].entries()) {
      expect(calls(asked)).toEqual([]);
      fireEvent.change(boxes()[index] as HTMLInputElement, { target: { value: digit } });
    }
    const form = boxes()[0]?.form as HTMLFormElement;
    fireEvent.submit(form);
    fireEvent.submit(form);
    await screen.findByRole('alert');
    await buttonsWork();
    expect(calls(asked)).toEqual([VERIFY]);
    fireEvent.change(boxes()[1] as HTMLInputElement, { target: { value: '8' } });
    expect(screen.queryByRole('alert')).toBeNull();
    expect(calls(asked)).toEqual([VERIFY]); // a corrected digit may be one of several
    fireEvent.change(boxes()[3] as HTMLInputElement, { target: { value: '2' } });
    await screen.findByRole('alert');
    expect(asked.at(-1)?.body).toMatchObject({ recoveryCode: '4812' });
    expect(calls(asked)).toEqual([VERIFY, VERIFY]);
  });

  it('sends no code after the countdown', async () => {
    const asked = fakeApi(server);
    later(180);
    render(<VerificationForm verification={verification} />);
    typeCode();
    await waitFor(() => expect(typed()).toBe('4711'));
    fireEvent.submit(boxes()[0]?.form as HTMLFormElement);
    expect(button('Verify').disabled).toBe(true);
    expect(calls(asked)).toEqual([]);
  });

  it('keeps the digits offline', async () => {
    fakeApi({});
    render(<VerificationForm verification={verification} />);
    typeCode();
    expect((await screen.findByRole('alert')).textContent).toBe('No connection. Please try again when you are online.');
    expect(typed()).toBe('4711');
    await waitFor(() => expect(button('Verify').disabled).toBe(false));
  });

  it('links to login if the address is verified but the login failed', async () => {
    const { [LOGIN]: _, ...withoutLogin } = server;
    fakeApi(withoutLogin);
    render(<VerificationForm verification={verification} />);
    typeCode();
    expect((await screen.findByRole('alert')).textContent).toContain('Your email is verified, but logging in failed.');
    expect(screen.getByRole('link', { name: 'Log In' }).getAttribute('href')).toBe('/login');
  });

  it('opens login if the password has expired', async () => {
    const asked = fakeApi(server);
    render(<VerificationForm verification={{ ...verification, expiresAt: START }} />);
    typeCode();
    await waitFor(() => expect(location.pathname).toBe('/login'));
    expect(calls(asked)).toEqual([VERIFY]);
  });
});

describe('Resend Code', () => {
  it('waits for the end of the countdown, and restarts it', async () => {
    const asked = fakeApi(server);
    render(<VerificationForm verification={verification} />);
    expect(button('Resend Code').disabled).toBe(true);
    later(181);
    await waitFor(() => expect(button('Resend Code').disabled).toBe(false));
    fireEvent.click(button('Resend Code'));
    await waitFor(() => expect(timer()).toBe('The code expires in 3:00'));
    expect(button('Resend Code').disabled).toBe(true);
    expect(asked.filter(({ call }) => call !== CONFIG)).toEqual([
      { call: RESEND, body: { email: 'ada@example.com', registration: verification.registration } },
    ]);
    expect((await verificationNote.read())?.codeEndsAt).toBe(START + 361 * SECOND); // a reload knows too
  });

  it('says why it failed, and can be retried', async () => {
    fakeApi({ ...server, [RESEND]: refusal(429, 'Too many codes. Please wait.') });
    later(181);
    render(<VerificationForm verification={verification} />);
    fireEvent.click(button('Resend Code'));
    expect((await screen.findByRole('alert')).textContent).toBe('Too many codes. Please wait.');
    expect(timer()).toBe('The code has expired');
    await waitFor(() => expect(button('Resend Code').disabled).toBe(false));
  });
});

describe('for an address that is not verified', () => {
  const emailVerification: Verification = { ...verification, purpose: 'email', password: undefined };

  it("shows the server's message for two seconds, then the login page", async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: START, shouldAdvanceTime: true });
    const asked = fakeApi(server);
    await verificationNote.keep(emailVerification);
    render(<VerificationForm verification={emailVerification} />);
    typeCode();
    expect((await screen.findByRole('status')).textContent).toBe('Done.');
    expect(button('Verify').disabled).toBe(true);
    expect(calls(asked)).toEqual([VERIFY]);
    expect(location.pathname).toBe('/verification-email');
    expect(await verificationNote.read()).toBeUndefined();
    // An effect starts the timer, which on a busy machine can be after the message shows.
    await waitFor(async () => {
      await act(() => vi.advanceTimersByTimeAsync(2_000));
      expect(location.pathname).toBe('/login');
    });
    expect(sessionState().status).toBe('signed-out');
  });

  it('requests a new code in the same way', async () => {
    const asked = fakeApi(server);
    later(181);
    render(<VerificationForm verification={emailVerification} />);
    fireEvent.click(button('Resend Code'));
    await waitFor(() => expect(calls(asked)).toEqual([RESEND]));
  });
});

describe('for a forgotten password', () => {
  const forgotten: Verification = { ...verification, purpose: 'forgot-password', password: undefined };
  const granted = { status: 200, body: { status: 200, message: 'Right.', data: { recoveryCode: 'a-grant' } } };
  const again = { status: 200, body: { status: 200, message: 'Sent.', data: { email: 'ada@example.com' } } };

  it('stores the sealed grant, and opens the new password page at once', async () => {
    const asked = fakeApi({ ...server, [VERIFY_RESET]: granted });
    render(<VerificationForm verification={forgotten} />);
    typeCode();
    await waitFor(() => expect(location.pathname).toBe('/reset-password'));
    expect(asked).toContainEqual({ call: VERIFY_RESET, body: { email: 'ada@example.com', recoveryCode: '4711' } });
    expect(screen.queryByText('Right.')).toBeNull();
    expect(await resetNote.read()).toMatchObject({ email: 'ada@example.com', recoveryCode: 'a-grant' });
    expect(Object.values(sessionStorage).map(atob).join()).not.toContain('a-grant');
  });

  it('requests a new code like the first one', async () => {
    const asked = fakeApi({ ...server, [FORGOT]: again });
    later(181);
    render(<VerificationForm verification={forgotten} />);
    fireEvent.click(button('Resend Code'));
    await waitFor(() => expect(timer()).toBe('The code expires in 3:00'));
    expect(calls(asked)).toEqual([FORGOT]);
  });
});
