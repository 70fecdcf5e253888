import { act, fireEvent, renderHook, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { botList } from '#client/features/bots/bot-resources.ts';
import TradingBotPage from '#client/features/bots/list/trading-bot-page.tsx';
import { createBot, deleteBot, startBot } from '#client/features/bots/manage/bot-commands.ts';
import BotPage from '#client/features/bots/report/bot-page.tsx';
import { statusOf } from '#client/features/bots/summary/bot-status.ts';
import { useBots } from '#client/features/bots/use-bots.ts';
import { load } from '#client/platform/cache/resource.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import type { Bot } from '#contract/bots/bot.ts';
import { bot } from '#tests/support/bots/listed-bot.ts';
import type { Answers } from '#tests/support/client/fake-api.ts';
import { CREATE, config, emptyDevice, fakeBots, LIST, listed, ok, show, signInEachTest, user } from './fake-bots.tsx';

const service = (answers: Answers): Answers => ({ 'GET /api/auth/user/user-1/': ok(user()), 'GET /api/config': config(), ...answers });
const ids = async () => (await userDb('user-1').bots.orderBy('created_at').toArray()).map(({ bot_id, status }) => [bot_id, status]);
const wordless = { status: 500, body: {} };

/** Agrees to the guidelines and fills the form. Returns its button. */
async function fillForm() {
  show(<TradingBotPage />);
  fireEvent.click(await screen.findByRole('checkbox'));
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
  const fields = { 'Bot Name': 'a', 'API Key': 'b', 'Secret Key': 'c', 'Position Size': '100' };
  for (const [label, value] of Object.entries(fields)) fireEvent.change(await screen.findByLabelText(label), { target: { value } });
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Create Bot' });
  await waitFor(() => expect(button.disabled).toBe(false));
  return button;
}

signInEachTest('/trading-bot');
afterEach(() => {
  vi.useRealTimers();
});

it('refreshes the list at once after a creation, and after 3 and 5 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
  const asked: number[] = [];
  const list = () => {
    asked.push(Date.now());
    return listed();
  };
  fakeBots({ [LIST]: list });
  const alone = ({ children }: { children: ReactNode }) => (
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0 }}>{children}</SWRConfig>
  );
  const { result } = renderHook(() => useBots('user-1'), { wrapper: alone });
  await waitFor(() => expect(result.current.isEmpty).toBe(true));
  expect(asked).toHaveLength(1);
  const created = Date.now();
  act(() => result.current.refreshAfterCreation());
  await waitFor(() => expect(asked.length).toBeGreaterThanOrEqual(2));
  for (const [seconds, times] of [
    [3, 3],
    [2, 4],
  ] as const) {
    await act(() => vi.advanceTimersByTimeAsync(seconds * 1_000));
    await waitFor(() => expect(asked.length).toBeGreaterThanOrEqual(times));
  }
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(asked).toHaveLength(4);
  expect(asked[2]).toBeGreaterThanOrEqual(created + 3_000);
  expect(asked[3]).toBeGreaterThanOrEqual(created + 5_000);
});

it.each([
  ['PROVISIONING', 'Setting up...', 'warn'],
  ['RUNNING', 'RUNNING', 'up'],
  ['STOPPED', 'STOPPED', 'down'],
  ['STOPPING', 'STOPPING', 'warn'],
  ['ERROR', 'ERROR', 'warn'],
])('shows %s as %s in the color %s', (status, word, tone) => {
  expect(statusOf(bot({ status }))).toEqual({ word, tone });
});

it('does not create a bot twice while the first request runs', async () => {
  const asked = fakeBots(service({ [LIST]: listed() }));
  const button = await fillForm();
  const answer = fetch;
  let created = 0;
  vi.stubGlobal('fetch', (input: string, init: RequestInit = {}) => {
    if (init.method !== 'POST') return answer(input, init);
    created += 1;
    return new Promise(() => {});
  });
  fireEvent.click(button);
  await waitFor(() => expect(created).toBe(1));
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'));
  fireEvent.click(button);
  await act(async () => {});
  expect(created).toBe(1);
  expect(asked.some(({ call }) => call === LIST)).toBe(true);
});

describe('the stored bots', () => {
  const owner = () => ({ userId: 'user-1', db: userDb('user-1') });
  const form = { bot_name: 'Two', api_key: 'k', secret_key: 's', position_size: '100', max_drawdown: '30' };
  const second = bot({ bot_id: 'bot-2', created_at: '2026-03-02T00:00:00.000Z', status: 'PROVISIONING' });

  it('gain a created bot, take the answers of fetches and commands, and lose a deleted bot', async () => {
    fakeBots({
      [LIST]: listed(bot({ status: 'STOPPED' })),
      [CREATE]: ok(second, 201),
      'POST /api/v1/trading-bots/bot-1/start?user_id=user-1': ok(bot({ status: 'RUNNING' })),
      'DELETE /api/v1/trading-bots/bot-1': ok({ bot_id: 'bot-1' }),
    });
    await load(userDb('user-1'), botList, { userId: 'user-1' });
    expect(await ids()).toEqual([['bot-1', 'STOPPED']]);
    await createBot(owner(), form, 'key');
    expect(await ids()).toEqual([
      ['bot-1', 'STOPPED'],
      ['bot-2', 'PROVISIONING'],
    ]);
    await startBot(owner(), bot());
    expect((await ids())[0]).toEqual(['bot-1', 'RUNNING']);
    await deleteBot(owner(), bot());
    expect(await ids()).toEqual([['bot-2', 'PROVISIONING']]);
  });

  it('are fetched and changed with user id and bearer token, without cookies', async () => {
    const seen: [string, string | null, RequestCredentials | undefined][] = [];
    fakeBots({
      [LIST]: listed(),
      [CREATE]: ok(second, 201),
      'POST /api/v1/trading-bots/bot-1/start?user_id=user-1': ok(bot()),
      'DELETE /api/v1/trading-bots/bot-1': ok({ bot_id: 'bot-1' }),
    });
    const answer = fetch;
    vi.stubGlobal('fetch', (input: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      expect(headers.get('Authorization')).toMatch(/^Bearer /);
      seen.push([`${init.method} ${input}`, headers.get('User-Id'), init.credentials]);
      return answer(input, init);
    });
    await load(userDb('user-1'), botList, { userId: 'user-1' });
    await createBot(owner(), form, 'key');
    await startBot(owner(), bot());
    await deleteBot(owner(), bot());
    expect(seen).toEqual([
      [LIST, 'user-1', 'omit'],
      [CREATE, 'user-1', 'omit'],
      ['POST /api/v1/trading-bots/bot-1/start?user_id=user-1', null, 'omit'],
      ['DELETE /api/v1/trading-bots/bot-1', 'user-1', 'omit'],
    ]);
  });
});

describe('a call that fails without a message', () => {
  it('of the list reads "Failed to fetch trading bots"', async () => {
    fakeBots(service({ [LIST]: wordless }));
    show(<TradingBotPage />);
    expect(await screen.findByText(/^Failed to fetch trading bots/)).toBeDefined();
  });

  it('of one bot reads "Failed to fetch trading bot"', async () => {
    fakeBots(service({ 'GET /api/v1/trading-bots/bot-1/report?user_id=user-1': wordless }));
    show(<BotPage botId="bot-1" />);
    expect(await screen.findByText(/^Failed to fetch trading bot\b/)).toBeDefined();
  });

  it('of a creation reads "Failed to create trading bot"', async () => {
    fakeBots(service({ [LIST]: listed(), [CREATE]: wordless }));
    fireEvent.click(await fillForm());
    expect(await screen.findByText('Failed to create trading bot')).toBeDefined();
  });

  it.each<[string, Bot['status'], string]>([
    ['Start', 'STOPPED', 'Failed to start trading bot'],
    ['Stop', 'RUNNING', 'Failed to stop trading bot'],
    ['Pause entries', 'RUNNING', 'Failed to update trading bot'],
    ['Delete', 'RUNNING', 'Failed to delete trading bot'],
  ])('of %s (%s) reads "%s"', async (action, status, words) => {
    const refused = ['start', 'stop', 'pause'].map((name) => [`POST /api/v1/trading-bots/bot-1/${name}?user_id=user-1`, wordless]);
    fakeBots(service({ [LIST]: listed(bot({ status })), 'DELETE /api/v1/trading-bots/bot-1': wordless, ...Object.fromEntries(refused) }));
    show(<TradingBotPage />);
    fireEvent.click(await screen.findByRole('button', { name: action }));
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: action }));
    expect(await screen.findByText(words)).toBeDefined();
  });
});

it.each([
  ['2026-01-01T00:00:00.000Z', Date.UTC(2026, 0, 11), 'Free trial: 20 days left'],
  ['2026-01-01T00:00:00.000Z', Date.UTC(2026, 0, 30), 'Free trial: 1 day left'],
  ['2024-01-01T00:00:00.000Z', Date.UTC(2025, 6, 22), 'Grace period: 10 days left'],
])('an account of %s may trade at %i, with the note: %s', async (created_at, now, words) => {
  await emptyDevice({ ...user('FREE'), created_at });
  fakeBots(service({ 'GET /api/auth/user/user-1/': ok({ ...user('FREE'), created_at }), [LIST]: listed(bot()) }));
  show(<TradingBotPage clock={() => now} />);
  expect(await screen.findByText(words)).toBeDefined();
});

it('shows the guidelines while the list is loading', async () => {
  fakeBots(service({}));
  const answer = fetch;
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) =>
    String(input).includes('trading-bots') ? new Promise(() => {}) : answer(input, init),
  );
  show(<TradingBotPage />);
  expect(await screen.findByRole('dialog', { name: 'Trading Bot Guidelines' })).toBeDefined();
});
