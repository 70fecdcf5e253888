import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import ProfilePage from '#client/features/profile/profile-page.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { MESSAGES } from '#contract/account/account-rules.ts';
import { profileOf } from '#tests/support/accounts/profile.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { buttonsWork } from '#tests/support/client/buttons-work.ts';
import { fakeApi, refusal } from '#tests/support/client/fake-api.ts';
import { fakeUpload, type Uploaded } from '#tests/support/client/fake-upload.ts';

const user = profileOf({ country: 'gb' });

/** The server's user, which saving changes. */
let known: typeof user;
const save = (form: FormData) => {
  for (const field of ['first_name', 'last_name', 'country'] as const) known = { ...known, [field]: form.get(field) ?? known[field] };
  return { status: 200, body: { status: 200, data: known } };
};

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { exact: true });
const write = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
const alerts = () => screen.queryAllByRole('alert').map((alert) => alert.textContent);
const said = () => screen.getByRole('status').textContent;
const entries = ([uploaded]: Uploaded[]) => Object.fromEntries(uploaded?.form ?? []);

async function open() {
  const page = render(
    <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>
      <ProfilePage />
      <a href="/home">Home</a>
    </SWRConfig>,
  );
  await screen.findByRole('button', { name: 'Save Changes' });
  return page;
}

beforeEach(async () => {
  known = user;
  fakeApi({ 'GET /api/auth/user/user-1/': () => ({ status: 200, body: { status: 200, data: known } }) });
  await userDb('user-1').delete();
  await userDb('user-1').open();
  await userDb('user-1').profile.put(user);
  await signIn(makeTokens(), true);
  window.history.replaceState(null, '', '/settings/profile');
});
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await endSession();
});

it('shows the fields, focuses the first and helps password managers', async () => {
  await open();
  expect(screen.getByRole('heading', { name: 'Account' })).toBeDefined();
  expect(['First Name', 'Last Name', 'Email', 'Password', 'Confirm Password'].map((label) => field(label).value)).toEqual([
    'Ada',
    'King',
    'ada@example.com',
    '',
    '',
  ]);
  expect(field('Email').readOnly).toBe(true);
  expect(screen.getByRole('button', { name: /^Country/ }).textContent).toBe('United Kingdom');
  expect(field('Change Photo').accept).toBe('image/png,image/jpeg');
  await waitFor(() => expect(document.activeElement).toBe(field('First Name')));
  expect(['First Name', 'Last Name', 'Email', 'Password', 'Confirm Password'].map((label) => field(label).autocomplete)).toEqual([
    'given-name',
    'family-name',
    'username',
    'new-password',
    'new-password',
  ]);
});

describe('Save Changes', () => {
  it('sends only filled and changed fields, and confirms for four seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const uploaded = fakeUpload(save);
    await open();
    write('First Name', '');
    write('Last Name', ' Lovelace ');
    submit();
    await waitFor(() => expect(said()).toBe('User updated successfully!'));
    expect(uploaded.map(({ call }) => call)).toEqual(['PATCH /api/auth/user/user-1/']);
    expect(entries(uploaded)).toEqual({ user_id: 'user-1', last_name: 'Lovelace' });
    expect(uploaded[0]?.headers.get('Authorization')).toMatch(/^Bearer /);
    expect([field('First Name').value, field('Last Name').value]).toEqual(['Ada', 'Lovelace']);
    expect((await userDb('user-1').profile.get('user-1'))?.last_name).toBe('Lovelace');
    await act(() => vi.advanceTimersByTimeAsync(3_000));
    expect(said()).toBe('User updated successfully!');
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(said()).toBe('');
  });

  it('sends nothing if nothing changed, and accepts empty fields', async () => {
    const uploaded = fakeUpload(save);
    await open();
    write('First Name', '');
    write('Last Name', '');
    submit();
    await waitFor(() => expect(said()).toBe('There is nothing to save.'));
    expect(alerts()).toEqual([]);
    expect(screen.queryByText('This field is required!')).toBeNull();
    expect(uploaded).toEqual([]);
    expect(field('First Name').value).toBe('Ada');
  });

  it('sends the chosen country in lower case', async () => {
    const uploaded = fakeUpload(save);
    await open();
    fireEvent.click(screen.getByRole('button', { name: /^Country/ }));
    const search = screen.getByRole('combobox', { name: 'Search' });
    fireEvent.change(search, { target: { value: 'atlantis' } });
    expect(screen.getByText('No search data found!')).toBeDefined();
    fireEvent.change(search, { target: { value: 'GERMA' } });
    fireEvent.click(screen.getByRole('option', { name: 'Germany' }));
    submit();
    await waitFor(() => expect(said()).toBe('User updated successfully!'));
    expect(entries(uploaded)).toEqual({ user_id: 'user-1', country: 'de' });
  });

  it.each([
    ['abcdef', 'abcdef', [MESSAGES.passwordRule]],
    ['Fghij2', '', [MESSAGES.passwordMatch]],
    ['', 'Fghij2', [MESSAGES.passwordMatch]],
  ])('checks a new password: "%s" / "%s"', async (password, repeated, complaints) => {
    const uploaded = fakeUpload(save);
    await open();
    write('Password', password);
    write('Confirm Password', repeated);
    submit();
    await waitFor(() => expect(alerts()).toEqual(complaints));
    expect(uploaded).toEqual([]);
  });

  it('sends a new password and clears its fields', async () => {
    const uploaded = fakeUpload(save);
    await open();
    expect(screen.getByText('Leave it empty to keep the one you have.')).toBeDefined();
    write('Password', 'Fghij2');
    expect(screen.getByText('Min. 6 characters')).toBeDefined();
    write('Confirm Password', 'Fghij2');
    submit();
    await waitFor(() => expect(said()).toBe('User updated successfully!'));
    expect(entries(uploaded)).toEqual({ user_id: 'user-1', password: 'Fghij2' });
    expect([field('Password').value, field('Confirm Password').value]).toEqual(['', '']);
  });

  it("shows the server's refusal", async () => {
    fakeUpload(() => refusal(400, 'The photo cannot be read.'));
    await open();
    write('First Name', 'Augusta');
    submit();
    await waitFor(() => expect(alerts()).toEqual(['The photo cannot be read.']));
  });

  it('keeps the input offline, and can be sent again', async () => {
    fakeUpload();
    await open();
    write('First Name', 'Augusta');
    submit();
    await waitFor(() => expect(alerts()).toEqual(['No connection. Please try again when you are online.']));
    expect(field('First Name').value).toBe('Augusta');
    fakeUpload(save);
    await buttonsWork();
    submit();
    await waitFor(() => expect(said()).toBe('User updated successfully!'));
    expect(alerts()).toEqual([]);
  });
});

it.each([
  ['a picture by its name only', new File(['GIF89a…'], 'me.png', { type: 'image/png' }), 'The photo must be a PNG or JPEG image.'],
  ['a broken picture', new File([new Uint8Array([0xff, 0xd8, 0xff])], 'me.jpg', { type: 'image/jpeg' }), 'The photo cannot be read.'],
])('refuses %s', async (_what, file, complaint) => {
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('broken', 'InvalidStateError')));
  await open();
  fireEvent.change(field('Change Photo'), { target: { files: [file] } });
  await waitFor(() => expect(alerts()).toEqual([complaint]));
});

describe('unsaved changes', () => {
  const dialog = () => within(screen.getByRole('dialog', { name: 'Leave without saving' }));
  const closing = () => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };

  it('leaving does not ask without changes', async () => {
    await open();
    expect(closing()).toBe(false);
    fireEvent.click(screen.getByRole('link', { name: 'Home' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('closing the page asks', async () => {
    await open();
    write('First Name', 'Augusta');
    await waitFor(() => expect(closing()).toBe(true));
    write('First Name', 'Ada');
    await waitFor(() => expect(closing()).toBe(false));
  });

  it('stay guarded while the profile reloads', async () => {
    await open();
    write('First Name', 'Augusta');
    await waitFor(() => expect(closing()).toBe(true));
    const letGo = vi.spyOn(window, 'removeEventListener');
    await act(() => userDb('user-1').profile.put({ ...user, last_name: 'Byron' })); // as another device changed it
    await waitFor(() => expect(field('Last Name').value).toBe('Byron'));
    expect(field('First Name').value).toBe('Augusta');
    expect(closing()).toBe(true);
    expect(letGo.mock.calls.filter(([event]) => event === 'beforeunload')).toEqual([]);
  });

  it('a link asks, and is followed only after confirmation', async () => {
    await open();
    write('First Name', 'Augusta');
    fireEvent.click(screen.getByRole('link', { name: 'Home' }));
    expect(dialog().getByText(/has not been saved and would be lost/)).toBeDefined();
    fireEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
    expect(location.pathname).toBe('/settings/profile');
    expect(field('First Name').value).toBe('Augusta');
    fireEvent.click(screen.getByRole('link', { name: 'Home' }));
    fireEvent.click(dialog().getByRole('button', { name: 'Leave' }));
    expect(location.pathname).toBe('/home');
  });

  it('the back button asks even if it leads up', async () => {
    await open();
    write('First Name', 'Augusta');
    fireEvent.click(screen.getByRole('button', { name: 'Back' }));
    fireEvent.click(dialog().getByRole('button', { name: 'Leave' }));
    expect(location.pathname).toBe('/settings/account');
  });
});
