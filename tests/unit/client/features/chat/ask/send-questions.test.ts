import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { askQuestion } from '#client/features/chat/ask/ask-question.ts';
import { pullUnanswered } from '#client/features/chat/ask/receive-answers.ts';
import { sendSoon, startSendingQuestions } from '#client/features/chat/ask/send-questions.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import type { ChatMessage } from '#contract/chat/chat.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { ARCHIVE, unanswered } from '#tests/support/chat/chat-rows.ts';

/** A fake of the page's socket, connected or not. */
const live = vi.hoisted(() => ({ connected: true, listeners: new Map<string, (event?: unknown) => void>(), emit: vi.fn() }));

vi.mock('#client/platform/live/socket.ts', () => {
  const socket = {
    on: (event: string, listener: (event?: unknown) => void) => {
      const others = live.listeners.get(event);
      live.listeners.set(event, (sent) => {
        others?.(sent);
        listener(sent);
      });
    },
    timeout: () => ({ emitWithAck: live.emit }),
  };
  return {
    connectedSocket: () => (live.connected ? socket : undefined),
    onEvent: (name: string, store: (event: unknown) => Promise<unknown>) => socket.on(name, store),
    onMissed: (listener: () => void) => socket.on('connect', listener),
  };
});

const stored = async (_event: string, message: ChatMessage) => ({
  chat: unanswered({ id: message.client_id, archive_id: message.archive_id, user_message: message.message }),
});

const OTHER = '6f1c2a52-95d5-4d0c-8a6f-0c6f6f0e4b12';

let user = 0;
let userId: string;
const db = () => userDb(userId);
const ask = (text: string) => askQuestion(db(), { userId, archiveId: ARCHIVE, text });
const sent = () => live.emit.mock.calls.map(([, message]) => (message as ChatMessage).message);
const allSent = () => vi.waitFor(async () => expect(await db().outbox.count()).toBe(0));

startSendingQuestions();

beforeEach(async () => {
  user += 1;
  userId = `sends-${user}`;
  live.connected = true;
  live.emit.mockReset().mockImplementation(stored);
  vi.stubGlobal('fetch', async () => Response.json({ status: 200, data: [] }));
  await signIn(makeTokens({ sub: userId }), true);
});

afterEach(async () => {
  await endSession();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('sends a new question at once', async () => {
  await ask('Now');
  sendSoon();
  await allSent();
  expect(sent()).toEqual(['Now']);
});

it('sends the text with its user, its conversation, the question it replaces (0 for a new one) and its picture', async () => {
  await ask('New');
  sendSoon();
  await allSent();
  expect(live.emit).toHaveBeenCalledExactlyOnceWith('chat_message', {
    client_id: expect.any(String),
    user_id: userId,
    archive_id: ARCHIVE,
    message: 'New',
    chat_id: 0,
    chat_image: null,
  });
  const [{ id } = { id: '' }] = await db().messages.toArray();
  await askQuestion(db(), { userId, archiveId: ARCHIVE, text: 'Newer', replaces: id });
  sendSoon();
  await allSent();
  expect(live.emit.mock.lastCall?.[1]).toMatchObject({ message: 'Newer', chat_id: id });
});

it('sends nothing without a connection, and everything when there is one', async () => {
  live.connected = false;
  await ask('one');
  sendSoon();
  await ask('two');
  sendSoon();
  expect(live.emit).not.toHaveBeenCalled();
  live.connected = true;
  live.listeners.get('connect')?.();
  await allSent();
  expect(sent()).toEqual(['one', 'two']);
});

it('takes a question asked while it sends', async () => {
  live.emit.mockImplementationOnce(async (event: string, message: ChatMessage) => {
    await ask('during');
    sendSoon();
    return stored(event, message);
  });
  await ask('first');
  sendSoon();
  await allSent();
  expect(sent()).toEqual(['first', 'during']);
});

it('comes back later by itself after a failure', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  live.emit.mockRejectedValueOnce(new Error('operation has timed out'));
  await ask('Again');
  sendSoon();
  await vi.waitUntil(async () => (await db().outbox.toArray())[0]?.attempts === 1);
  await vi.waitUntil(() => vi.getTimerCount() > 0);
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitUntil(async () => (await db().outbox.count()) === 0);
  expect(sent()).toEqual(['Again', 'Again']);
});

it('sends what a user left behind when they sign in again', async () => {
  await ask('Left');
  await endSession();
  expect(live.emit).not.toHaveBeenCalled();
  await signIn(makeTokens({ sub: userId }), true);
  await allSent();
  expect(sent()).toEqual(['Left']);
});

it('reloads a conversation whose answer does not come, and none for a question that is not sent', async () => {
  const asked = new Set<string>(); // the interval may ask too
  vi.stubGlobal('fetch', async (url: string) => {
    asked.add(url);
    return Response.json({ status: 200, data: [] });
  });
  await db().messages.put(unanswered({ id: 'waits' }));
  live.connected = false;
  await askQuestion(db(), { userId, archiveId: OTHER, text: 'Unsent' });
  live.connected = true;
  await pullUnanswered();
  expect([...asked]).toEqual([expect.stringContaining(ARCHIVE)]);
});

it('asks for a conversation that another device deleted once after each connection', async () => {
  let asked = 0;
  vi.stubGlobal('fetch', async () => {
    asked += 1;
    return Response.json({ status: 404, code: 'not_found', message: 'Not found.' }, { status: 404 });
  });
  await db().messages.put(unanswered({ id: 'waits', archive_id: OTHER }));
  await pullUnanswered();
  const first = asked;
  expect(first).toBeGreaterThan(0);
  await pullUnanswered();
  expect(asked).toBe(first);
  live.listeners.get('connect')?.();
  await expect.poll(() => asked).toBeGreaterThan(first);
});

it('keeps a question that exceeds the limit, says why, and sends it after the next answer', async () => {
  const error = { status: 429, code: 'too_many_unanswered', message: 'You have 20 questions without an answer.' };
  live.emit.mockResolvedValueOnce({ error });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); // no other attempt before the answer, however long this takes
  await ask('Patient');
  sendSoon();
  await expect.poll(() => db().outbox.toArray()).toMatchObject([{ state: 'waiting', attempts: 1, reason: error.message }]);
  live.listeners.get('chat_response')?.({});
  await expect.poll(() => db().outbox.count()).toBe(0);
  expect(sent()).toEqual(['Patient', 'Patient']);
});
