import { act, cleanup, render, renderHook, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LocalMessage } from '#client/features/chat/conversation/conversation.ts';
import { Messages } from '#client/features/chat/conversation/messages.tsx';
import { usePreparedAnswers } from '#client/features/chat/device-answer/use-device-answers.ts';
import { type UserDb, userDb } from '#client/platform/db/user-db.ts';
import { reportReachable, reportUnreachable } from '#client/platform/live/reachability.ts';
import { QUESTIONS } from '#client/platform/outbox/questions.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { ARCHIVE, chatRow, unanswered } from '#tests/support/chat/chat-rows.ts';
import { quote } from '#tests/support/market/quotes.ts';

const source = { name: 'Test', demo: false, asOf: '2026-01-01T09:14:00.000Z' };
let db: UserDb;
let user = 0;

const asked = unanswered({ id: 'asked', position: 2, user_message: 'and its volume?' });
const message = {
  client_id: 'asked',
  user_id: 'u',
  archive_id: ARCHIVE,
  message: asked.user_message,
  chat_id: 0 as const,
  chat_image: null,
};
const unsent = {
  seq: 1,
  id: 'asked',
  lane: QUESTIONS,
  body: { message, newArchive: false },
  createdAt: 0,
  attempts: 0,
  state: 'waiting' as const,
};
const show = (...rows: LocalMessage[]) =>
  render(
    <Messages
      messages={[chatRow({ id: 'first', user_message: 'bitcoin price' }), ...rows]}
      current={false}
      editing={undefined}
      onRead={() => {}}
      onAsk={() => {}}
    />,
  );
const answer = async (id = 'asked') => (await db.messages.get(id))?.device_answer?.text;
const later = (ms: number) => act(async () => vi.advanceTimersByTime(ms));
/** Another question of the same conversation, which the device answers after `asked`. */
const next = { ...asked, id: 'next', position: 3, user_message: 'what is staking?' };

beforeEach(async () => {
  user += 1;
  await signIn(makeTokens({ sub: `rider-${user}` }), true);
  db = userDb(`rider-${user}`);
  await db.coins.add({ id: 1, symbol: 'BTC', name: 'Bitcoin', rank: 1, quote: { USD: quote({ price: 97_123.45, volume_24h: 3e10 }) } });
  await db.coinLists.add({ key: 'coins/USD/1/100', ids: [1], source });
  await db.messages.add(asked);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(async () => {
  vi.useRealTimers();
  reportReachable();
  cleanup();
  await endSession();
});

it('answers an unsent question at once while offline, in the context of the conversation', async () => {
  reportUnreachable();
  show({ ...asked, unsent });
  await later(0);
  await vi.waitFor(async () => expect(await answer()).toContain('24-hour volume of **$30'));
});

it('gives a server that seems reachable five seconds', async () => {
  const looked = vi.spyOn(db.coinLists, 'get');
  show({ ...asked, unsent });
  await later(4_900);
  await import('#client/features/chat/device-answer/answer-on-device.ts');
  expect([await answer(), looked.mock.calls]).toEqual([undefined, []]);
  await later(200);
  await vi.waitFor(async () => expect(await answer()).toBeDefined());
});

it.each<[string, Partial<LocalMessage>]>([
  ['has a picture', { unsent, chat_image: '/chat/images/1' }],
  ['was refused', { unsent: { ...unsent, state: 'parked' } }],
  ['was stopped', { stopped: true, chat_status: 'ai-responce' }],
  ['is not stored yet', { unsent: { ...unsent, seq: undefined } as never }],
])('answers no question that %s', async (_, more) => {
  reportUnreachable();
  await db.messages.add(next);
  show({ ...asked, ...more }, { ...next, unsent: { ...unsent, id: 'next', seq: 2 } });
  await later(10_000);
  await vi.waitFor(async () => expect(await answer('next')).toBeDefined());
  expect(await answer()).toBeUndefined();
});

it('shows the answer with the time of its figures, beside the server’s', () => {
  const asOf = new Date(2026, 0, 1, 9, 14).getTime();
  show({ ...asked, ai_response: 'From the server', chat_status: 'ai-responce', device_answer: { text: 'It is **$30B**.', asOf } });
  expect(screen.getByText('From this device, figures of 1 Jan 2026, 9:14 AM')).toBeTruthy();
  expect(screen.getByText('$30B')).toBeTruthy();
  expect(screen.getByText('From the server')).toBeTruthy();
});

it('prepares when the server becomes unreachable and the page is idle, not before', async () => {
  const read = vi.spyOn(db.coins, 'toArray');
  renderHook(() => usePreparedAnswers(db));
  await later(20_000);
  expect(read).not.toHaveBeenCalled();
  act(() => reportUnreachable());
  expect(read).not.toHaveBeenCalled();
  await vi.waitFor(async () => {
    await later(1_000);
    expect(read).toHaveBeenCalledTimes(1);
  });
  show({ ...asked, unsent });
  await later(0);
  await vi.waitFor(async () => expect(await answer()).toContain('24-hour volume of **$30'));
  expect(read).toHaveBeenCalledTimes(1);
});
