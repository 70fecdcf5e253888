import { act, render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { beginVerification, verificationNote } from '#client/features/account/verification/verification-note.ts';
import VerificationPage from '#client/features/account/verification/verification-page.tsx';
import { history } from '#client/platform/router/history.ts';
import { fakeApi } from '#tests/support/client/fake-api.ts';

const MINUTE = 60_000;
const about = { purpose: 'sign-up', email: 'ada@example.com', password: 'Abcde1' } as const;
const config = (mailbox: boolean) => ({
  'GET /api/config': { status: 200, body: { status: 200, data: { mailbox, analyst: 'built-in' } } },
});
const open = () =>
  render(
    <StrictMode>
      <SWRConfig value={{ provider: () => new Map() }}>
        <VerificationPage />
      </SWRConfig>
    </StrictMode>,
  );

beforeEach(() => {
  fakeApi(config(false));
  sessionStorage.clear();
  window.history.replaceState(null, '', '/verification-email');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('goes back one page without a stored note', async () => {
  window.history.replaceState({ depth: 1 }, '', '/verification-email');
  const go = vi.spyOn(window.history, 'go').mockImplementation(() => {});
  open();
  await waitFor(() => expect(go).toHaveBeenCalledExactlyOnceWith(-1));
  go.mockRestore();
});

it('goes to login if there is no page to go back to', async () => {
  open();
  await waitFor(() => expect(location.pathname).toBe('/login'));
});

it('keeps its note over a reload, and drops it on leaving', async () => {
  await beginVerification(about);
  const { unmount } = open();
  await screen.findByRole('timer');
  unmount();
  expect(await verificationNote.read()).toMatchObject(about);
  open();
  await screen.findByRole('timer');
  expect(screen.getByRole('link', { name: 'Close' }).getAttribute('href')).toBe('/login');
  act(() => history.push('/login'));
  expect(await verificationNote.read()).toBeUndefined();
});

it('drops the password after ten minutes', async () => {
  const start = Date.now();
  await beginVerification(about, start);
  expect(await verificationNote.read(start + 10 * MINUTE - 1)).toMatchObject(about);
  expect(await verificationNote.read(start + 10 * MINUTE)).toBeUndefined();
  expect(sessionStorage).toHaveLength(0);
});

it('drops it even while the page stays open', async () => {
  vi.useFakeTimers({ toFake: ['Date'] }); // stands still, so that reading is never late
  await beginVerification(about, Date.now() - 10 * MINUTE + 300);
  open();
  await screen.findByText('The code has expired');
  await waitFor(() => expect(sessionStorage).toHaveLength(0));
  expect(screen.getByText('The code has expired')).toBeDefined(); // the page stays
});

it('ignores a note that it cannot read', async () => {
  await beginVerification(about);
  const [key = ''] = Object.keys(sessionStorage);
  sessionStorage.setItem(key, btoa('something else entirely, and long enough'));
  expect(await verificationNote.read()).toBeUndefined();
  sessionStorage.setItem(key, 'not base64 %');
  expect(await verificationNote.read()).toBeUndefined();
});

it('links to the mailbox only if the server stores its mail', async () => {
  fakeApi(config(true));
  await beginVerification(about);
  open();
  const link = await screen.findByRole('link', { name: 'mailbox' });
  expect(link.getAttribute('href')).toBe('/mailbox');
  expect(link.hasAttribute('data-native')).toBe(true);
});

it('has no mailbox link on other servers', async () => {
  const asked = fakeApi(config(false));
  await beginVerification(about);
  open();
  await waitFor(() => expect(asked.length).toBeGreaterThan(0));
  await screen.findByRole('timer');
  expect(screen.queryByRole('link', { name: 'mailbox' })).toBeNull();
});
