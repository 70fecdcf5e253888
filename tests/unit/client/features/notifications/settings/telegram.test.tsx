import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Telegram } from '#client/features/notifications/settings/telegram.tsx';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { type Reached, TELEGRAM_LINK_LIFETIME } from '#contract/notifications/settings.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { buttonsWork } from '#tests/support/client/buttons-work.ts';
import { type Answers, fakeApi } from '#tests/support/client/fake-api.ts';

const LINK = 'https://t.me/tide_bot?start=abc';
const CHAT: Reached = { name: '@ada', sent_at: null, failure: null, ended_at: null };
const userId = 'telegram-user';
const changed = vi.fn(() => Promise.resolve());
let answers: Answers;

const settingsWith = (telegram: Reached | null) => ({
  status: 200,
  body: {
    status: 200,
    data: {
      choices: {},
      quiet: null,
      time_zone: 'UTC',
      email: 'ada@example.com',
      browsers: 0,
      has_telegram: true,
      telegram,
      webhook: null,
    },
  },
});

beforeEach(async () => {
  vi.clearAllMocks();
  await signIn(makeTokens({ sub: userId }), true);
  answers = {
    [`POST /api/notification/${userId}/telegram`]: { status: 200, body: { status: 200, data: { link: LINK, expires_at: '' } } },
    [`GET /api/notification/${userId}/settings`]: settingsWith(null),
  };
  fakeApi(answers);
  render(<Telegram userId={userId} reached={null} onChanged={changed} />);
  fireEvent.click(screen.getByRole('button', { name: 'Connect Telegram' }));
  expect((await screen.findByRole('link', { name: 'Open the bot' })).getAttribute('href')).toBe(LINK);
});

afterEach(async () => {
  vi.useRealTimers();
  cleanup();
  await endSession();
  vi.unstubAllGlobals();
});

const check = () => fireEvent.click(screen.getByRole('button', { name: 'Check' }));

it('says that the chat is not connected yet, and reads it once it is', async () => {
  check();
  await vi.waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/not connected yet/));
  expect(changed).not.toHaveBeenCalled();
  await buttonsWork();
  answers[`GET /api/notification/${userId}/settings`] = settingsWith(CHAT);
  check();
  await vi.waitFor(() => expect(changed).toHaveBeenCalledOnce());
  expect(screen.getByRole('status').textContent).toBe('');
});

it('says why it could not find out', async () => {
  delete answers[`GET /api/notification/${userId}/settings`];
  check();
  expect((await screen.findByRole('alert')).textContent).toContain('No connection');
  screen.getByRole('link', { name: 'Open the bot' });
});

it('takes a link away that no longer works, and gives another', async () => {
  cleanup();
  vi.useFakeTimers({ shouldAdvanceTime: true });
  render(<Telegram userId={userId} reached={null} onChanged={changed} />);
  fireEvent.click(screen.getByRole('button', { name: 'Connect Telegram' }));
  await screen.findByRole('link', { name: 'Open the bot' });
  await act(() => vi.advanceTimersByTimeAsync(TELEGRAM_LINK_LIFETIME));
  expect(screen.getByRole('status').textContent).toBe('The link has expired.');
  expect(screen.queryByRole('link')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Connect Telegram' }));
  await screen.findByRole('link', { name: 'Open the bot' });
});
