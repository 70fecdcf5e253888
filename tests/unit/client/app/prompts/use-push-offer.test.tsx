import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Prompts } from '#client/app/prompts/prompts.tsx';
import { keepPushUser } from '#client/platform/notifications/push-browser.ts';
import { history } from '#client/platform/router/history.ts';
import { currentDb } from '#client/platform/session/current-db.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import type { Alert } from '#contract/alerts/alert.ts';
import type { Bot } from '#contract/bots/bot.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { fakeApi } from '#tests/support/client/fake-api.ts';
import { fakePushBrowser } from '#tests/support/push/push-browser.ts';

let users = 0;
let userId: string;
const offer = () => screen.queryByRole('region', { name: 'Hear of it when the app is closed' });
/** Waits long enough that an unwanted offer would appear. */
const settle = () => act(() => new Promise<void>((resolve) => setTimeout(resolve, 50)));

beforeEach(async () => {
  localStorage.clear();
  localStorage.setItem('install-offered', 'before');
  users += 1;
  userId = `offered-${users}`;
  fakeApi({});
  history.replace('/home');
  await signIn(makeTokens({ sub: userId }), true);
});
afterEach(async () => {
  cleanup();
  await endSession();
});

const addAlert = async () => (await currentDb(userId)).alerts.put({ id: 'a' } as Alert);
const addBot = async () => (await currentDb(userId)).bots.put({ bot_id: 'b', created_at: '2026-01-01' } as Bot);

it.each([
  ['alert', addAlert],
  ['bot', addBot],
])('notifications are offered after the first %s and not before, and the browser asks only after the user agrees', async (_what, add) => {
  const browser = fakePushBrowser('default', 'denied');
  render(<Prompts />);
  await settle();
  expect(offer()).toBeNull();
  await add();
  await waitFor(() => expect(offer()).not.toBeNull());
  expect(offer()?.textContent).toContain('when an alert fires, a bot needs you or someone signs in');
  expect(browser.asked).toBe(0);
  fireEvent.click(screen.getByRole('button', { name: 'Turn on' }));
  await waitFor(() => expect(browser.asked).toBe(1));
  await waitFor(() => expect(offer()).toBeNull());
});

it('they are not offered again on this device, and "Not now" asks nothing', async () => {
  const browser = fakePushBrowser('default');
  await addAlert();
  render(<Prompts />);
  fireEvent.click(await screen.findByRole('button', { name: 'Not now' }));
  await waitFor(() => expect(offer()).toBeNull());
  cleanup();
  await addBot();
  render(<Prompts />);
  await settle();
  expect(offer()).toBeNull();
  expect(browser.asked).toBe(0);
});

it.each<[string, () => void]>([
  ['the browser refuses', () => void fakePushBrowser('denied')],
  [
    'they are on',
    () => {
      fakePushBrowser('granted');
      keepPushUser(userId);
    },
  ],
])('they are not offered where %s', async (_where, prepare) => {
  prepare();
  await addAlert();
  render(<Prompts />);
  await settle();
  expect(offer()).toBeNull();
});

it('they are not offered on a page where the user is in the middle of a task', async () => {
  fakePushBrowser('default');
  await addAlert();
  history.replace('/chat');
  render(<Prompts />);
  await settle();
  expect(offer()).toBeNull();
  act(() => history.push('/crypto'));
  await waitFor(() => expect(offer()).not.toBeNull());
});
