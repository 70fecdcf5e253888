import { readFileSync } from 'node:fs';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { AccountPage } from '#client/features/account/settings/account-page.tsx';
import { heldDraft, NO_DRAFT, writeDraft } from '#client/features/chat/compose/drafts.ts';
import { deviceDb } from '#client/platform/db/device-db.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { reportReachable, reportUnreachable } from '#client/platform/live/reachability.ts';
import { endSession, sessionState, signIn } from '#client/platform/session/session.ts';
import { useSession } from '#client/platform/session/use-session.ts';
import { profileOf } from '#tests/support/accounts/profile.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { type Answers, fakeApi, refusal } from '#tests/support/client/fake-api.ts';

const PROFILE = 'GET /api/auth/user/user-1/';
const LOGOUT = 'POST /api/auth/logout/';
const profile = profileOf({ first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com' });
const server: Answers = {
  [PROFILE]: { status: 200, body: { status: 200, data: profile } },
  [LOGOUT]: { status: 200, body: { status: 200, message: 'Logged out.' } },
};

/** A minimal version of the app's guard. */
function Page() {
  return useSession().status === 'signed-in' ? <AccountPage deletion={null} /> : <p>signed out</p>;
}
const open = () =>
  render(
    <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>
      <Page />
    </SWRConfig>,
  );

beforeEach(async () => {
  fakeApi(server);
  await userDb('user-1').delete();
  await userDb('user-1').open();
  await signIn(makeTokens(), true);
});
afterEach(async () => {
  await endSession();
  vi.unstubAllGlobals();
});

it('shows the user, at once from the session, then from the profile', async () => {
  open();
  expect(screen.getByRole('heading', { name: 'Ada King' })).toBeDefined();
  expect(screen.getByText('ada@example.com')).toBeDefined();
  expect(screen.getByText('AK')).toBeDefined();
  expect(await screen.findByRole('heading', { name: 'Grace Hopper' })).toBeDefined();
  expect(screen.getByText('grace@example.com')).toBeDefined();
  expect(screen.getByText('GH')).toBeDefined();
});

it('remembers on the device whether amounts are hidden and / opens the search', async () => {
  open();
  const hide = screen.getByRole('switch', { name: /^Hide amounts/ });
  const slash = screen.getByRole('switch', { name: /^Search with the \/ key/ });
  expect([hide, slash].map((each) => (each as HTMLInputElement).checked)).toEqual([false, true]);
  fireEvent.click(hide);
  fireEvent.click(slash);
  expect([hide, slash].map((each) => (each as HTMLInputElement).checked)).toEqual([true, false]);
  expect([localStorage.getItem('hide-amounts'), localStorage.getItem('slash-opens-palette')]).toEqual(['true', 'false']);
  fireEvent.click(hide);
  fireEvent.click(slash);
});

it("shows the user's picture, fetched with the bearer token and stored on the device", async () => {
  const path = '/auth/user/user-1/picture?v=one';
  const token = makeTokens().accessToken;
  await userDb('user-1').images.put({ path: '/auth/user/user-1/picture?v=old', type: 'image/webp', bytes: new ArrayBuffer(3) });
  const pictures: (string | null)[] = [];
  vi.stubGlobal('fetch', async (input: string, { headers }: RequestInit = {}) => {
    if (!input.includes('/picture')) return Response.json({ status: 200, data: { ...profile, profile_image: path } });
    pictures.push(`${input} ${new Headers(headers).get('Authorization')}`);
    return new Response(new Uint8Array([1, 2, 3, 4]), { headers: { 'Content-Type': 'image/webp' } });
  });
  const { container, unmount } = open();
  await waitFor(() => expect(container.querySelector('img')?.src).toMatch(/^blob:/));
  expect(pictures).toEqual([`/api${path} Bearer ${token}`]);
  expect((await userDb('user-1').images.toArray()).map((row) => [row.path, row.bytes.byteLength])).toEqual([[path, 4]]);
  unmount();

  fakeApi({}); // from now on there is no connection
  const again = open();
  await waitFor(() => expect(again.container.querySelector('img')?.src).toMatch(/^blob:/));
});

it('links to every page of the menu', () => {
  open();
  const links = within(screen.getByRole('navigation', { name: 'Settings' })).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Account', '/settings/profile'],
    ['Signed-in devices', '/settings/devices'],
    ['Watchlist', '/settings/watchlist'],
    ['Price alerts', '/settings/alerts'],
    ['Manage Subscription', '/settings/manage-subscription'],
    ['Notifications', '/settings/notification'],
    ['Storage and Data', '/settings/storage'],
    ['Privacy Policy', '/settings/privacy-policies'],
    ['Terms and Conditions', '/settings/terms-and-conditions'],
    ['Help Center', '/settings/help-center'],
  ]);
});

describe('Appearance', () => {
  const root = document.documentElement;
  const choose = (name: string) => fireEvent.click(screen.getByRole('radio', { name }));
  const metas = () => [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].map(({ media }) => media);

  beforeAll(() => {
    for (const scheme of ['dark', 'light']) {
      const meta = document.createElement('meta');
      meta.name = 'theme-color';
      meta.dataset.scheme = scheme;
      document.head.append(meta);
    }
    new Function(readFileSync('public/theme.js', 'utf8'))();
  });
  beforeEach(() => localStorage.clear());

  it('follows the device until a theme is chosen, and again for System', () => {
    open();
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'System' }).checked).toBe(true);
    choose('Light');
    expect(root.dataset.theme).toBe('light');
    expect(metas()).toEqual(['not all', 'all']);
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Light' }).checked).toBe(true);
    choose('Dark');
    expect(root.dataset.theme).toBe('dark');
    expect(metas()).toEqual(['all', 'not all']);
    choose('System');
    expect(root.dataset.theme).toBeUndefined();
    expect(metas()).toEqual(['(prefers-color-scheme: dark)', '(prefers-color-scheme: light)']);
  });

  it('is applied before the app starts, and in other tabs', () => {
    localStorage.setItem('theme', 'light');
    window.dispatchEvent(new Event('storage'));
    expect(root.dataset.theme).toBe('light');
    localStorage.setItem('theme', 'nonsense');
    new Function(readFileSync('public/theme.js', 'utf8'))();
    expect(root.dataset.theme).toBeUndefined();
  });
});

describe('Logout', () => {
  const ask = async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Logout' }));
    return within(await screen.findByRole('dialog'));
  };

  it('asks first, says what is removed, and can be canceled', async () => {
    const asked = fakeApi(server);
    open();
    const dialog = await ask();
    expect(dialog.getByText(/removes your data from this device/)).toBeDefined();
    expect(dialog.queryByText(/not been sent/)).toBeNull();
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(asked.some(({ call }) => call === LOGOUT)).toBe(false);
    expect(sessionState().status).toBe('signed-in');
  });

  it.each([
    [['chat'], 'One question has not been sent yet and would be lost.'],
    [['contacts'], 'One message to support has not been sent yet and would be lost.'],
    [['watchlist', 'archives'], '2 changes have not been sent yet and would be lost.'],
    [
      ['chat', 'contacts', 'chat', 'ratings', 'chat', 'contacts'],
      '3 questions, 2 messages to support and one change have not been sent yet and would be lost.',
    ],
  ])('counts what is unsent: %j', async (lanes, words) => {
    const waiting = lanes.map((lane, index) => ({
      id: `command-${index}`,
      lane,
      body: {},
      createdAt: 0,
      attempts: 0,
      state: 'waiting' as const,
    }));
    await userDb('user-1').outbox.bulkAdd(waiting);
    open();
    expect((await ask()).getByText(words)).toBeDefined();
  });

  it('ends the session and removes the stored data', async () => {
    const asked = fakeApi(server);
    localStorage.setItem('training-insight-page', '3');
    const [mine, another] = [userDb('user-1'), userDb('user-2')];
    for (const db of [mine, another]) writeDraft(db, 'new', { ...NO_DRAFT, text: 'half a thought' });
    open();
    await screen.findByRole('heading', { name: 'Grace Hopper' });
    fireEvent.click((await ask()).getByRole('button', { name: 'Logout' }));
    await screen.findByText('signed out');
    expect(asked).toContainEqual({ call: LOGOUT, body: { refreshToken: 'refresh-1' } });
    expect(sessionState()).toEqual({ status: 'signed-out', ended: true });
    expect(localStorage.getItem('training-insight-page')).toBeNull();
    expect([heldDraft(mine, 'new'), heldDraft(another, 'new')?.text]).toEqual([undefined, 'half a thought']);
    await waitFor(async () => expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('tidemark-user-user-1'));
  });

  it('works if the server says that the session is over', async () => {
    fakeApi({ ...server, [LOGOUT]: refusal(403, 'This session has ended.') });
    open();
    fireEvent.click((await ask()).getByRole('button', { name: 'Logout' }));
    await screen.findByText('signed out');
  });

  it('works offline, and says that a login needs a connection', async () => {
    fakeApi({});
    reportUnreachable();
    open();
    const dialog = await ask();
    expect(dialog.getByText('You are offline. You need a connection to log in again.')).toBeDefined();
    fireEvent.click(dialog.getByRole('button', { name: 'Logout' }));
    await screen.findByText('signed out');
    await waitFor(async () => expect(await deviceDb.revocations.count()).toBe(1));
    await deviceDb.revocations.clear();
    reportReachable();
  });
});
