import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dropDraft } from '#client/features/account/sign-up/sign-up-form.ts';
import SignUpPage from '#client/features/account/sign-up/sign-up-page.tsx';
import { verificationNote } from '#client/features/account/verification/verification-note.ts';
import { MESSAGES } from '#contract/account/account-rules.ts';
import { fakeApi, refusal } from '#tests/support/client/fake-api.ts';

const REGISTER = 'POST /api/auth/register/';
const registered = { status: 201, body: { status: 201, message: 'Sent.', data: [{ id: 'user-1', email: 'ada@example.com' }] } };

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { exact: true });
function type(label: string, value: string) {
  fireEvent.change(field(label), { target: { value } });
  fireEvent.blur(field(label));
}
const tick = () => fireEvent.click(screen.getByRole('checkbox'));
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Sign Up' }));

function fill(overrides: Record<string, string> = {}) {
  const values = {
    'First Name': 'Ada',
    'Last Name': 'King',
    Email: 'ada@example.com',
    Password: 'Abcde1',
    'Confirm Password': 'Abcde1',
    ...overrides,
  };
  for (const [label, value] of Object.entries(values)) type(label, value);
}

const errors = () => screen.queryAllByRole('alert').map((alert) => alert.textContent);

beforeEach(() => {
  window.history.replaceState(null, '', '/sign-up');
  sessionStorage.clear();
  dropDraft();
});
afterEach(() => vi.unstubAllGlobals());

describe('what must be filled in', () => {
  it('names each missing field, and sends nothing', async () => {
    const asked = fakeApi({ [REGISTER]: registered });
    render(<SignUpPage />);
    submit();
    await waitFor(() =>
      expect(errors()).toEqual([
        MESSAGES.firstNameRequired,
        MESSAGES.lastNameRequired,
        MESSAGES.emailRequired,
        MESSAGES.passwordRequired,
        MESSAGES.passwordMatch,
        MESSAGES.termsRequired,
      ]),
    );
    expect(asked).toEqual([]);
  });

  it.each([
    ['First Name', '   ', 'First name is required'],
    ['First Name', 'see https://evil', "Names can't contain links or line breaks"],
    ['Last Name', '   ', 'Last name is required'],
    ['Last Name', 'evil.com', "Names can't contain links or line breaks"],
    ['Email', 'ada', 'Entered value email format!'],
    ['Email', 'ada@example', 'Entered value email format!'],
    ['Email', '@example.com', 'Entered value email format!'],
    ['Password', 'Abc1', MESSAGES.passwordRule],
    ['Password', 'abcde1', MESSAGES.passwordRule],
    ['Password', 'ABCDE1', MESSAGES.passwordRule],
    ['Password', 'Abcdef', MESSAGES.passwordRule],
    ['Confirm Password', 'Abcde2', 'Password must match'],
  ])('%s: "%s"', async (label, value, message) => {
    const asked = fakeApi({ [REGISTER]: registered });
    render(<SignUpPage />);
    fill({ [label]: value, ...(label === 'Password' && { 'Confirm Password': value }) });
    tick();
    submit();
    await waitFor(() => expect(errors()).toEqual([message]));
    expect(field(label).getAttribute('aria-invalid')).toBe('true');
    expect(asked).toEqual([]);
  });

  it('says that the passwords differ even if the terms are not accepted', async () => {
    fakeApi({});
    render(<SignUpPage />);
    fill({ 'Confirm Password': 'Other12' });
    submit();
    await waitFor(() => expect(errors()).toEqual([MESSAGES.passwordMatch, MESSAGES.termsRequired]));
  });

  it('checks the confirmation again when the password changes', async () => {
    fakeApi({});
    render(<SignUpPage />);
    fill();
    submit();
    await waitFor(() => expect(errors()).toEqual([MESSAGES.termsRequired]));
    type('Password', 'Abcde12');
    await waitFor(() => expect(errors()).toEqual([MESSAGES.passwordMatch, MESSAGES.termsRequired]));
    type('Password', 'Abcde1');
    await waitFor(() => expect(errors()).toEqual([MESSAGES.termsRequired]));
    tick();
    await waitFor(() => expect(errors()).toEqual([]));
  });

  it('shows no errors while the user moves through the fields', async () => {
    fakeApi({});
    render(<SignUpPage />);
    for (const label of ['First Name', 'Email', 'Password']) {
      fireEvent.focus(field(label));
      fireEvent.blur(field(label));
    }
    await act(async () => {});
    expect(errors()).toEqual([]);
  });
});

it('checks the password rules while typing', () => {
  fakeApi({});
  render(<SignUpPage />);
  const met = () => screen.getAllByRole('listitem').map((rule) => rule.getAttribute('data-met'));
  expect(screen.getAllByRole('listitem').map((rule) => rule.textContent)).toEqual([
    'Min. 6 characters, not met yet',
    '1 uppercase & lowercase letter, not met yet',
    '1 number or special character, not met yet',
  ]);
  for (const [typed, expected] of [
    ['aB', ['false', 'true', 'false']],
    ['ab!', ['false', 'false', 'true']],
    ['abcdef', ['true', 'false', 'false']],
    ['abcdE#', ['true', 'true', 'true']],
  ] as const) {
    fireEvent.change(field('Password'), { target: { value: typed } });
    expect(met()).toEqual(expected);
  }
});

describe('sending', () => {
  it('registers, seals the note for the code screen, and opens it', async () => {
    const asked = fakeApi({ [REGISTER]: registered });
    render(<SignUpPage />);
    fill({ Email: '  ada@example.com ' });
    tick();
    submit();
    await waitFor(() => expect(location.pathname).toBe('/verification-email'));
    expect(asked).toEqual([
      { call: REGISTER, body: { first_name: 'Ada', last_name: 'King', email: 'ada@example.com', country: '', password: 'Abcde1' } },
    ]);
    expect(await verificationNote.read()).toMatchObject({ purpose: 'sign-up', email: 'ada@example.com', password: 'Abcde1' });
    expect(JSON.stringify([{ ...sessionStorage }, { ...localStorage }])).not.toMatch(/Abcde1|QWJjZGUx/);
  });

  it('stays if the answer has no account', async () => {
    fakeApi({ [REGISTER]: { status: 201, body: { status: 201, message: 'Sent.', data: [] } } });
    render(<SignUpPage />);
    fill();
    tick();
    submit();
    await waitFor(() => expect(errors()).toHaveLength(1));
    expect(location.pathname).toBe('/sign-up');
    expect(await verificationNote.read()).toBeUndefined();
  });

  it.each([
    [
      'the server refuses',
      { [REGISTER]: refusal(400, 'An account with this email already exists.') },
      'An account with this email already exists.',
    ],
    ['there is no connection', {}, 'No connection. Please try again when you are online.'],
  ])('shows an error and keeps the input when %s', async (_, answers, message) => {
    fakeApi(answers);
    render(<SignUpPage />);
    fill();
    tick();
    submit();
    await waitFor(() => expect(errors()).toEqual([message]));
    expect(['First Name', 'Last Name', 'Email', 'Password', 'Confirm Password'].map((label) => field(label).value)).toEqual([
      'Ada',
      'King',
      'ada@example.com',
      'Abcde1',
      'Abcde1',
    ]);
    expect(location.pathname).toBe('/sign-up');
  });
});

it('keeps the input while the user reads the terms, in memory only', () => {
  fakeApi({});
  const { unmount } = render(<SignUpPage />);
  expect(screen.getByRole('link', { name: 'Terms and Conditions' }).getAttribute('href')).toBe('/settings/terms-and-conditions');
  fill();
  tick();
  unmount();
  expect(sessionStorage).toHaveLength(0);
  render(<SignUpPage />);
  expect(field('First Name').value).toBe('Ada');
  expect(field('Confirm Password').value).toBe('Abcde1');
  expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(true);
});

it('links to login', () => {
  fakeApi({});
  render(<SignUpPage />);
  expect(screen.getByRole('heading', { name: 'Create an Account' })).toBeDefined();
  expect(screen.getByRole('link', { name: 'Already have an account?' }).getAttribute('href')).toBe('/login');
});
