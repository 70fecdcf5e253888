import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import DevicesPage from '#client/features/devices/devices-page.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import { reportReachable, reportUnreachable } from '#client/platform/live/reachability.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import type { Device } from '#contract/account/sessions.ts';
import { MINUTE } from '#domain/clock.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { type Answers, fakeApi, refusal } from '#tests/support/client/fake-api.ts';

const LIST = 'GET /api/auth/sessions/';
const END_ONE = 'DELETE /api/auth/sessions/phone/';
const END_OTHERS = 'DELETE /api/auth/sessions/';
const DONE = { status: 200, body: { status: 200, message: 'Done.' } };
const db = userDb('user-1');

const device = (id: string, minutes: number, changes: Partial<Device> = {}): Device => ({
  id,
  name: 'Chrome on Android',
  network: '203.0.113.0/24',
  signed_in_at: '2026-03-01T12:00:00.000Z',
  last_seen_at: new Date(Date.now() - minutes * MINUTE).toISOString(),
  current: false,
  ...changes,
});
let listed: Device[];
const list = () => ({ status: 200, body: { status: 200, data: listed } });

const NO_PASSKEYS: Answers = { 'GET /api/auth/passkeys/': { status: 200, body: { status: 200, data: [] } } };

const open = (answers: Answers = { ...NO_PASSKEYS, [LIST]: list }) => {
  const asked = fakeApi(answers);
  render(
    <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>
      <DevicesPage />
    </SWRConfig>,
  );
  return asked;
};
const rows = () => screen.findAllByRole('listitem');
const confirm = async () => {
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sign out' }));
};

beforeEach(async () => {
  listed = [
    device('this', 0, { name: 'Firefox on Linux', current: true }),
    device('phone', 5),
    device('old', 9_000, { name: null, network: null }),
  ];
  await db.delete();
  await db.open();
  await signIn(makeTokens(), true);
});
afterEach(async () => {
  vi.unstubAllGlobals();
  reportReachable();
  cleanup();
  await endSession();
});

it('lists this device first, then the others by last use, with their details', async () => {
  listed.reverse();
  open();
  const texts = (await rows()).map((row) => row.textContent);
  expect(texts).toEqual([
    'Firefox on Linux This deviceLast seen just nowSigned in on Mar 1, 2026 from 203.0.113.0/24',
    'Chrome on Android Last seen 5 min agoSigned in on Mar 1, 2026 from 203.0.113.0/24Sign out',
    'Unknown device Last seen 6 d agoSigned in on Mar 1, 2026Sign out',
  ]);
  expect(screen.getAllByRole('button', { name: /^Sign out .*, last seen/ }).map((button) => button.getAttribute('aria-label'))).toEqual([
    'Sign out Chrome on Android, last seen 5 min ago',
    'Sign out Unknown device, last seen 6 d ago',
  ]);
});

it('signs out one device after confirmation, and says so', async () => {
  const asked = open({
    [LIST]: list,
    [END_ONE]: () => {
      listed = listed.filter(({ id }) => id !== 'phone');
      return DONE;
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: /Sign out Chrome/ }));
  expect(screen.getByRole('dialog').textContent).toContain('Chrome on Android is signed out and has to log in again.');
  await confirm();
  expect((await screen.findByText('Chrome on Android is signed out.')).closest('[role=status]')).toBe(document.activeElement);
  await waitFor(async () => expect(await rows()).toHaveLength(2));
  expect(asked.filter(({ call }) => call === END_ONE)).toHaveLength(1);
});

it('succeeds if the device is signed out already', async () => {
  open({ [LIST]: list, [END_ONE]: refusal(404, 'Not found.') });
  fireEvent.click(await screen.findByRole('button', { name: /Sign out Chrome/ }));
  await confirm();
  expect(await screen.findByText('Chrome on Android is signed out.')).toBeDefined();
});

it('signs out nothing if the dialog is canceled', async () => {
  const asked = open();
  fireEvent.click(await screen.findByRole('button', { name: /Sign out Chrome/ }));
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(asked.filter(({ call }) => call.startsWith('DELETE'))).toEqual([]);
});

it('signs out all others at once', async () => {
  open({
    [LIST]: list,
    [END_OTHERS]: () => {
      listed = listed.filter(({ current }) => current);
      return DONE;
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Sign out all other devices' }));
  await confirm();
  expect(await screen.findByText('All other devices are signed out.')).toBeDefined();
  expect(await screen.findByText('No other device is signed in.')).toBeDefined();
  await waitFor(() => expect(screen.queryByRole('button', { name: /Sign out/ })).toBeNull());
});

it('says that nothing was signed out if the server failed', async () => {
  open({ ...NO_PASSKEYS, [LIST]: list, [END_ONE]: refusal(500, 'Something went wrong on our side.') });
  fireEvent.click(await screen.findByRole('button', { name: /Sign out Chrome/ }));
  await confirm();
  expect((await screen.findByRole('alert')).textContent).toContain('Something went wrong on our side. Nothing was signed out.');
  expect(await rows()).toHaveLength(3);
});

it('shows the stored list offline, with its age and why signing out is refused', async () => {
  await db.devices.bulkPut(listed);
  await db.stamps.put({ key: 'devices', savedAt: Date.now() - 3 * MINUTE });
  reportUnreachable();
  const asked = open({});
  expect(await rows()).toHaveLength(3);
  expect(screen.getByText('Offline · saved 3 min ago')).toBeDefined();
  const reason = screen.getByText('You can sign out devices once you are online.');
  const buttons = screen.getAllByRole('button', { name: /Sign out/ });
  expect(buttons).toHaveLength(3);
  for (const button of buttons) {
    expect([button.getAttribute('aria-disabled'), button.getAttribute('aria-describedby')]).toEqual(['true', reason.closest('[id]')?.id]);
    fireEvent.click(button);
  }
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(asked.some(({ call }) => call.startsWith('DELETE'))).toBe(false);
});

it('explains a missing list offline without an error', async () => {
  reportUnreachable();
  open({});
  expect(await screen.findByText('You are offline. Your devices show here when you are back online.')).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('says when the list failed to load, and retries', async () => {
  let isUp = false;
  open({ ...NO_PASSKEYS, [LIST]: () => (isUp ? list() : refusal(500, 'Oh.')) });
  expect((await screen.findByRole('alert')).textContent).toContain('Your devices could not be loadedOh. All of them stay signed in.');
  isUp = true;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await rows()).toHaveLength(3);
});

it('shows names as text, whatever they contain', async () => {
  listed = [device('phone', 5, { name: '<img src=x onerror=alert(1)>' })];
  open();
  expect((await rows())[0]?.textContent).toContain('<img src=x onerror=alert(1)>');
  expect(document.querySelector('li img')).toBeNull();
});
