import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { alertCommands } from '#client/features/alerts/alert-commands.ts';
import { AlertOffer } from '#client/features/alerts/alert-offer.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import { reportReachable, reportUnreachable } from '#client/platform/live/reachability.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import type { AlertForm } from '#contract/alerts/alert-form.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { storedAlert } from '#tests/support/alerts/stored-alert.ts';
import { fakeApi } from '#tests/support/client/fake-api.ts';

const ID = '6f1c2a52-95d5-4d0c-8a6f-0c6f6f0e4b12';
const coin = { id: 1, name: 'Bitcoin', symbol: 'BTC' };
const alert: AlertForm = { kind: 'above', coin, price: 70_000, level_name: null, note: '', rearms: false, expires_at: null, paused: false };
let users = 0;
let userId: string;

const show = () =>
  render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0, shouldRetryOnError: false }}>
      <AlertOffer id={ID} alert={alert} />
    </SWRConfig>,
  );
const has = (data: unknown[]) => fakeApi({ [`GET /api/alerts/${userId}`]: { status: 200, body: { status: 200, data } } });
const commands = async () => (await alertCommands(userDb(userId))).map(({ body }) => body);

beforeEach(async () => {
  users += 1;
  userId = `offer-${users}`;
  await signIn(makeTokens({ sub: userId }), true);
});
afterEach(async () => {
  cleanup();
  fakeApi({});
  reportReachable();
  await endSession();
});

it('sets nothing by itself, and sets the alert under the id of its message when it is confirmed, also offline', async () => {
  fakeApi({});
  reportUnreachable();
  await userDb(userId).coins.put({ ...coin, rank: 1, quote: { USD: { price: 61_000 } } } as never);
  show();
  const button = await screen.findByRole('button', { name: 'Set alert' });
  expect(await commands()).toEqual([]);
  button.focus();
  fireEvent.click(button);
  await screen.findByText('Saved. The alert is set once you are online.');
  expect(await commands()).toMatchObject([{ kind: 'put', id: ID, body: { alert, seen: 61_000 } }]);
  expect(document.activeElement?.textContent).toBe('Undo');
});

it('shows an alert that is set, on any device, and undoes it', async () => {
  has([storedAlert({ id: ID, coin, price: 70_000 })]);
  show();
  await screen.findByText('Alert set.');
  expect(screen.getByRole('link', { name: 'See price alerts' }).getAttribute('href')).toBe('/settings/alerts');
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByRole('button', { name: 'Set alert' });
  expect(await commands()).toMatchObject([{ kind: 'delete', id: ID }]);
});

it('changes the alert that an earlier version of the question has set', async () => {
  has([storedAlert({ id: ID, coin, price: 65_000 })]);
  show();
  fireEvent.click(await screen.findByRole('button', { name: 'Change alert' }));
  await screen.findByRole('button', { name: 'Undo' });
  expect(await commands()).toMatchObject([{ kind: 'put', id: ID, body: { alert: { price: 70_000 } } }]);
});

it('says why the server refused it', async () => {
  has([]);
  const body = { kind: 'put', userId, id: ID, title: 'BTC', body: { alert, seen: null } };
  await userDb(userId).outbox.add({
    id: 'refused',
    lane: 'alerts',
    body,
    createdAt: 0,
    attempts: 1,
    state: 'parked',
    reason: 'You have 100 alerts.',
  } as never);
  show();
  await screen.findByText('Not set. You have 100 alerts.');
  expect(screen.getByRole('button', { name: 'Set alert' })).toBeTruthy();
});
