import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReAuthenticationHost } from '#client/app/re-authentication-host.tsx';
import { creationError } from '#client/features/bots/create/creation-error.ts';
import { createBot, deleteBot, startBot, updateBot } from '#client/features/bots/manage/bot-commands.ts';
import { saveProfile } from '#client/features/profile/save-profile.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { reportReachable } from '#client/platform/live/reachability.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import type { Bot } from '#contract/bots/bot.ts';
import { HEALTH_PATH } from '#contract/paths.ts';
import { profileOf } from '#tests/support/accounts/profile.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { buttonsWork } from '#tests/support/client/buttons-work.ts';
import { fakeUpload } from '#tests/support/client/fake-upload.ts';

const REQUIRED = { status: 403, code: 're_authentication_required', message: 'Please confirm your password to continue.' };
const WRONG = { status: 400, code: 'wrong_password', message: 'The password is not correct.', detail: { fields: {} } };
const db = userDb('user-1');
const owner = { userId: 'user-1', db };
const bot = {
  bot_id: 'bot-1',
  bot_name: 'Tide',
  user_id: 'user-1',
  status: 'STOPPED',
  status_reason: null,
  paused_reason: null,
  position_size: 1000,
  leverage: 15,
  created_at: '2026-01-01T00:00:00.000Z',
  config: {
    asset: 'BTC',
    strategy: 'tide',
    interval: '1h',
    exchange: 'bybit',
    paper: false,
    speed: null,
    custom_settings: { api_key: '', secret_key: '' },
  },
  max_drawdown: 30,
  key_hint: '1234',
  key_expires_at: null,
  equity: 1000,
  position: null,
  last_exchange_at: null,
} satisfies Bot;

/** Whether the user has entered the password. Until then the server requires it. */
let isProven: boolean;
let calls: { call: string; key: string | null }[];
let answerToPassword: (password: string) => { status: number; body: unknown };

beforeEach(async () => {
  isProven = false;
  calls = [];
  answerToPassword = (password) => {
    isProven = password === 'Secret1!';
    return isProven ? { status: 200, body: { status: 200, message: 'Confirmed.' } } : { status: 400, body: WRONG };
  };
  vi.stubGlobal('fetch', async (input: string, { method = 'GET', headers, body }: RequestInit = {}) => {
    const path = String(input).replace(/\?.*/, '');
    if (path.includes('re-authenticate')) {
      const { status, body: said } = answerToPassword(JSON.parse(String(body)).password);
      return Response.json(said, { status });
    }
    if (path.endsWith(HEALTH_PATH)) throw new TypeError('offline'); // a probe
    calls.push({ call: `${method} ${path}`, key: new Headers(headers).get('Idempotency-Key') });
    if (!isProven) return Response.json(REQUIRED, { status: 403 });
    return Response.json({ status: 200, data: method === 'DELETE' ? { bot_id: 'bot-1' } : bot });
  });
  await signIn(makeTokens(), true);
  render(<ReAuthenticationHost />);
});
afterEach(async () => {
  act(() => reportReachable());
  await act(() => endSession());
  vi.unstubAllGlobals();
});

const dialog = () => screen.findByRole('dialog', { name: 'Confirm it’s you' });
const type = async (password: string) => {
  const field = within(await dialog()).getByLabelText('Current password');
  fireEvent.change(field, { target: { value: password } });
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
};

describe('a call that needs the current password', () => {
  it.each<[string, () => Promise<unknown>]>([
    [
      'POST /api/v1/trading-bots',
      () => createBot(owner, { bot_name: 'Tide', api_key: 'k', secret_key: 's', position_size: '1000', max_drawdown: '30' }, 'key-1'),
    ],
    ['POST /api/v1/trading-bots/bot-1/start', () => startBot(owner, bot)],
    ['PUT /api/v1/trading-bots/bot-1', () => updateBot(owner, bot, { api_key: 'k', secret_key: 's' })],
    ['DELETE /api/v1/trading-bots/bot-1', () => deleteBot(owner, bot)],
  ])('is retried with the same idempotency key after the user enters it: %s', async (call, run) => {
    const result = run();
    await type('Secret1!');
    await result;
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls.map((each) => each.call)).toEqual([call, call]);
    expect(calls[0]?.key).toBe(calls[1]?.key);
  });

  it('is retried with the same form and key when the user saves a profile', async () => {
    const uploads = fakeUpload(() =>
      isProven ? { status: 200, body: { status: 200, data: profileOf() } } : { status: 403, body: REQUIRED },
    );
    const form = new FormData();
    form.set('password', 'Another-1234');
    const saved = saveProfile({ form, photo: undefined }, 'user-1', () => undefined);
    await type('Secret1!');
    expect((await saved).id).toBe('user-1');
    expect(uploads).toHaveLength(2);
    expect(uploads[0]?.headers.get('Idempotency-Key')).toBe(uploads[1]?.headers.get('Idempotency-Key'));
    expect(uploads[1]?.form.get('password')).toBe('Another-1234');
  });

  it('reports that nothing changed if the user cancels, and asks again the next time', async () => {
    for (const leave of [() => screen.getByRole('button', { name: 'Cancel' }), () => screen.getByRole('button', { name: 'Close' })]) {
      const result = startBot(owner, bot).catch((error: unknown) => error);
      await dialog();
      fireEvent.click(leave());
      const error = await result;
      expect(creationError(error)).toEqual({ tone: 'failed', title: 'Nothing was changed. You did not confirm your password.' });
      expect(screen.queryByRole('dialog')).toBeNull();
    }
    expect(calls).toHaveLength(2);
  });

  it('is retried only once: a second refusal is final', async () => {
    answerToPassword = () => ({ status: 200, body: { status: 200, message: 'Confirmed.' } });
    const result = startBot(owner, bot).catch((error: Error) => error.message);
    await type('Secret1!');
    expect(await result).toBe(REQUIRED.message);
    expect(calls).toHaveLength(2);
  });

  it('shares one dialog with concurrent calls', async () => {
    const results = [startBot(owner, bot), deleteBot(owner, bot)];
    expect(await screen.findAllByRole('dialog')).toHaveLength(1);
    await type('Secret1!');
    await Promise.all(results);
    expect(calls).toHaveLength(4);
  });

  it('is canceled when the user signs out in another tab', async () => {
    const result = startBot(owner, bot).catch((error: Error) => error.message);
    await dialog();
    await act(() => endSession());
    expect(await result).toContain('Nothing was changed.');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('the password dialog', () => {
  it('supports password managers, hides the password and shows it on demand', async () => {
    void startBot(owner, bot).catch(() => undefined);
    const field = within(await dialog()).getByLabelText<HTMLInputElement>('Current password');
    expect([field.type, field.autocomplete]).toEqual(['password', 'current-password']);
    expect(document.querySelector<HTMLInputElement>('dialog input[autocomplete=username]')?.value).toBe('ada@example.com');
    fireEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(field.type).toBe('text');
  });

  it('shows that the password is wrong beside the field, keeps it and lets the user try again', async () => {
    const result = startBot(owner, bot);
    await type('Wrong-1234');
    const field = within(await dialog()).getByLabelText<HTMLInputElement>('Current password');
    expect((await screen.findByRole('alert')).textContent).toBe(WRONG.message);
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field);
    expect(field.value).toBe('Wrong-1234');
    await buttonsWork();
    await type('Secret1!');
    await result;
  });

  it.each([
    ['too many tries', () => ({ status: 429, body: { status: 429, code: 'too_many_requests', message: 'Please wait.' } }), 'Please wait.'],
    [
      'no connection',
      () => {
        throw new TypeError('offline');
      },
      'No connection. Please try again when you are online.',
    ],
  ])('stays open and keeps the input after %s', async (_name, answer, words) => {
    answerToPassword = answer;
    void startBot(owner, bot).catch(() => undefined);
    await type('Secret1!');
    expect((await screen.findByRole('alert')).textContent).toBe(words);
    expect(within(await dialog()).getByLabelText<HTMLInputElement>('Current password').value).toBe('Secret1!');
    expect(calls).toHaveLength(1);
  });

  it('requires a password', async () => {
    void startBot(owner, bot).catch(() => undefined);
    await dialog();
    fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    expect((await screen.findByRole('alert')).textContent).toBeTruthy();
    expect(isProven).toBe(false);
  });
});
