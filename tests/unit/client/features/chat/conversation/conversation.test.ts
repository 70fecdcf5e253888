import { act, renderHook } from '@testing-library/react';
import { Dexie } from 'dexie';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deleteArchive } from '#client/features/archive/archive-edits.ts';
import { askQuestion } from '#client/features/chat/ask/ask-question.ts';
import { pullMissed, takeAnswer } from '#client/features/chat/ask/receive-answers.ts';
import { conversation } from '#client/features/chat/conversation/conversation.ts';
import { renewPreview } from '#client/features/chat/conversation/message-rows.ts';
import { closeUpgrade, useUpgradePrompt } from '#client/features/chat/upgrade/upgrade-prompt.ts';
import { load, store } from '#client/platform/cache/resource.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { ARCHIVES, type ArchiveEdit } from '#client/platform/outbox/archives.ts';
import { enqueue } from '#client/platform/outbox/outbox.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import type { Message } from '#contract/chat/chat.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { ARCHIVE, chatRow, unanswered } from '#tests/support/chat/chat-rows.ts';

let user = 0;
let userId: string;
/** The server's response or error. */
let answer: () => Response | Promise<Response>;
const asked = vi.fn<(url: string) => void>();

const json = (status: number, body: unknown) => Response.json(body, { status });
const chats = (rows: Message[]) => () => json(200, { status: 200, data: rows });

const db = () => userDb(userId);
const params = () => ({ userId, archiveId: ARCHIVE });
const shown = async () => (await conversation.read(db(), params(), true))?.map((row) => row.id);

beforeEach(async () => {
  user += 1;
  userId = `reader-${user}`;
  asked.mockReset();
  vi.stubGlobal('fetch', async (url: string) => {
    asked(url);
    return answer();
  });
  await signIn(makeTokens({ sub: userId }), true);
});

afterEach(async () => {
  await endSession();
  vi.unstubAllGlobals();
});

const askHere = (text: string) => askQuestion(db(), { userId, archiveId: ARCHIVE, text });

describe('a conversation', () => {
  it('shows what the server has, in its order, and drops what it has no more', async () => {
    await db().messages.bulkPut([chatRow({ id: 'gone', position: 3 }), chatRow({ id: 'b', position: 2 })]);
    answer = chats([chatRow({ id: 'b', position: 2 }), chatRow({ id: 'a', position: 1 })]);
    await load(db(), conversation, params());
    expect(await shown()).toEqual(['a', 'b']);
  });

  it('keeps a waiting question and shows it last, whatever came in meanwhile', async () => {
    await askHere('Mine'); // position 1, because the device has no other message
    answer = chats([chatRow({ id: 'a', position: 1 }), chatRow({ id: 'b', position: 2 })]);
    await load(db(), conversation, params());
    const rows = await conversation.read(db(), params(), true);
    expect(rows?.map((row) => row.user_message)).toEqual(['Question a', 'Question b', 'Mine']);
    expect(rows?.map((row) => row.unsent?.state)).toEqual([undefined, undefined, 'waiting']);
  });

  it('keeps a question that was asked and stored while the answer was on its way', async () => {
    answer = () => {
      void db().messages.put(unanswered({ id: 'quick', position: 2 }));
      return chats([chatRow({ id: 'a' })])();
    };
    await load(db(), conversation, params());
    expect(await shown()).toEqual(['a', 'quick']);
  });

  it('keeps a question that is stored while the device reads what to ask for', async () => {
    answer = chats([chatRow({ id: 'a', position: 1 })]);
    const real = db().outbox.where.bind(db().outbox);
    let reads = 0;
    const asking: Promise<unknown>[] = [];
    const spy = vi.spyOn(db().outbox, 'where').mockImplementation(((index: string) => {
      // The second read is that of the request for a page.
      if (++reads === 2) asking.push(Promise.resolve().then(() => Dexie.ignoreTransaction(() => askHere('Mine'))));
      return real(index);
    }) as never);
    await load(db(), conversation, params());
    spy.mockRestore();
    await Promise.all(asking);
    expect(asking).toHaveLength(1);
    expect(
      await db()
        .messages.filter(({ user_message }) => user_message === 'Mine')
        .count(),
    ).toBe(1);
  });

  it('brings its own title where no page of the list did, unless it was deleted here', async () => {
    const archive = { id: ARCHIVE, archive_title: 'Old', created_at: '2026-01-01T00:00:00.000Z' };
    answer = () => json(200, { status: 200, data: [], archive });
    await load(db(), conversation, params());
    expect(await db().archives.toArray()).toEqual([archive]);
    await db().archives.update(ARCHIVE, { archive_title: 'Renamed' });
    await load(db(), conversation, params());
    expect(await db().archives.toArray()).toMatchObject([{ archive_title: 'Renamed' }]);
    await db().archives.clear();
    await enqueue<ArchiveEdit>(db(), { id: 'e', lane: ARCHIVES, body: { archiveId: ARCHIVE, title: null }, createdAt: 0 });
    await expect(load(db(), conversation, params())).rejects.toMatchObject({ status: 404 });
    expect(await db().archives.toArray()).toEqual([]);
  });

  it('stays deleted if it is deleted while its messages are on their way', async () => {
    await db().archives.put({ id: ARCHIVE, archive_title: 'Mine', created_at: '2026-01-01T00:00:00.000Z' });
    answer = chats([chatRow({ id: 'a' })]);
    const answered = await conversation.fetch(params());
    await deleteArchive(db(), ARCHIVE);
    await db().outbox.clear(); // the server has taken the deletion
    await store(db(), conversation, params(), answered);
    expect(await db().messages.count()).toBe(0);
    expect(await db().archives.count()).toBe(0);
  });

  it('stays deleted if its answer comes before the server has taken the deletion', async () => {
    await deleteArchive(db(), ARCHIVE);
    answer = chats([chatRow({ id: 'a' })]);
    await takeAnswer({ chat_id: 'a', archive_id: ARCHIVE, user_message: 'Q', ai_response: 'A', chat_status: 'ai-responce' });
    expect(asked.mock.calls.flat().filter((url) => url.includes('/archive/'))).toEqual([]);
    expect(await db().messages.count()).toBe(0);
  });

  it('ends the command of a question the server turns out to have', async () => {
    await askHere('Mine');
    const [row] = await db().messages.toArray();
    answer = chats([chatRow({ id: row?.id ?? '', user_message: 'Mine' })]);
    await load(db(), conversation, params());
    expect(await db().outbox.count()).toBe(0);
  });

  it('does not lose an answer to an older list', async () => {
    await db().messages.put(chatRow({ id: 'a', user_message: 'Q' }));
    answer = chats([unanswered({ id: 'a', user_message: 'Q' })]);
    await load(db(), conversation, params());
    expect(await db().messages.get('a')).toMatchObject({ ai_response: 'Answer a', chat_status: 'ai-responce' });
  });

  it('takes a question that was edited elsewhere and waits for its new answer', async () => {
    await db().messages.put(chatRow({ id: 'a', user_message: 'Q' }));
    answer = chats([unanswered({ id: 'a', user_message: 'Another' })]);
    await load(db(), conversation, params());
    expect(await db().messages.get('a')).toMatchObject({ user_message: 'Another', chat_status: 'message' });
  });

  it('is not asked for while it exists only here', async () => {
    const archiveId = await askQuestion(db(), { userId, archiveId: undefined, text: 'Mine' });
    await load(db(), conversation, { userId, archiveId });
    expect(asked).not.toHaveBeenCalled();
    expect(await conversation.read(db(), { userId, archiveId }, true)).toHaveLength(1);
  });

  it('is unknown until something is known of it', async () => {
    expect(await conversation.read(db(), params(), false)).toBeUndefined();
    expect(await conversation.read(db(), params(), true)).toEqual([]);
  });
});

describe('an answer over the socket', () => {
  const response = (more: object) => ({ chat_id: 'a', archive_id: ARCHIVE, chat_status: 'ai-responce', user_message: 'Q', ...more });

  it.each([
    ['is the reply', { ai_response: 'Yes' }, 'Yes'],
    ['that is an error is the reply', { error: 'Could not answer' }, 'Could not answer'],
    ['falls back to the message', { message: 'Later' }, 'Later'],
  ])('%s', async (_what, more, reply) => {
    await db().messages.put(unanswered({ id: 'a' }));
    await takeAnswer(response(more));
    expect(await db().messages.get('a')).toMatchObject({ ai_response: reply, chat_status: 'ai-responce' });
    // Only the month's allowance is reloaded.
    expect(asked.mock.calls.flat()).toEqual([expect.stringContaining(`/auth/user/${userId}/`)]);
  });

  it('proves that its question arrived', async () => {
    await askHere('Mine');
    const [row] = await db().messages.toArray();
    await takeAnswer(response({ chat_id: row?.id, ai_response: 'Yes' }));
    expect(await db().outbox.count()).toBe(0);
  });

  it('to a question asked on another device brings the conversation', async () => {
    answer = chats([chatRow({ id: 'a' })]);
    await takeAnswer(response({ ai_response: 'Yes' }));
    expect(asked).toHaveBeenCalledWith(expect.stringContaining(`/archive/${ARCHIVE}/chats`));
    expect(await shown()).toEqual(['a']);
  });

  it('is taken whole where the server sends the whole row', async () => {
    await db().messages.put(unanswered({ id: 'a' }));
    const row = chatRow({ id: 'a', ai_response: 'Yes', coins: [1], position: 4 });
    await takeAnswer(response({ ai_response: 'Yes', chat: row }));
    expect(await db().messages.get('a')).toEqual(row);
  });

  it('with an id of the server is matched by its text, the earliest that waits', async () => {
    const twice = { user_message: 'Q' };
    await db().messages.bulkPut([unanswered({ id: 'x', ...twice }), unanswered({ id: 'y', position: 2, ...twice })]);
    await takeAnswer(response({ chat_id: 'a', ai_response: 'Yes' }));
    expect(await shown()).toEqual(['a', 'y']);
    expect(await db().messages.get('a')).toMatchObject({ ai_response: 'Yes', position: 1 });
  });

  it('to what stood there before an edit is not taken', async () => {
    await db().messages.put(chatRow({ id: 'a', user_message: 'Old' }));
    await askQuestion(db(), { userId, archiveId: ARCHIVE, text: 'New', replaces: 'a' });
    await takeAnswer(response({ ai_response: 'To the old one' }));
    expect(await db().messages.get('a')).toMatchObject({ user_message: 'New', ai_response: '' });
    expect(await db().outbox.count()).toBe(1);
  });

  it('that the month is spent opens the upgrade dialog and keeps the question', async () => {
    const prompt = renderHook(() => useUpgradePrompt());
    await askHere('Mine');
    const [row] = await db().messages.toArray();
    await act(() => takeAnswer(response({ chat_id: row?.id, subscription_error: 'subscription-ended', error: 'Spent' })));
    expect(prompt.result.current).toBe(true);
    act(closeUpgrade);
    expect(await db().messages.toArray()).toEqual([row]);
    expect(await db().outbox.count()).toBe(1);
  });

  it('is what lists preview from then on, also one of the device, unless a later question follows', async () => {
    const preview = async () => {
      const { preview: line, preview_of: of, preview_own: own } = (await db().archives.get(ARCHIVE)) ?? {};
      return [line, of, own];
    };
    await db().archives.put({ id: ARCHIVE, archive_title: '', created_at: '2026-01-01T00:00:00.000Z' });
    await askHere('Where is support?');
    expect(await preview()).toEqual(['Where is support?', 'waiting', undefined]);
    const [row] = await db().messages.toArray();
    const figures = { sources: [{ tool: 'account' as const, name: 'your bots', asOf: '' }], list: [] };
    await db().messages.update(row?.id ?? '', { device_answer: { text: 'At **$1**', asOf: 1, figures } });
    await db().transaction('rw', db().archives, db().messages, () => renewPreview(db(), ARCHIVE));
    expect(await preview()).toEqual(['At $1', 'answer', true]);
    await takeAnswer(response({ chat_id: row?.id, ai_response: '## At\n\n**$2**' }));
    expect(await preview()).toEqual(['At $2', 'answer', undefined]);
    await askHere('And then?');
    await takeAnswer(response({ chat_id: row?.id, ai_response: 'At $3' }));
    expect(await preview()).toEqual(['And then?', 'waiting', undefined]);
    const next = (await db().messages.toArray()).find(({ user_message }) => user_message === 'And then?');
    await takeAnswer(response({ chat_id: next?.id, error: 'Sorry' }));
    expect(await preview()).toEqual(['And then?', 'failed', undefined]);
    answer = chats([chatRow({ id: row?.id ?? '' }), chatRow({ id: 'elsewhere', position: 9, ai_response: '', stopped: true })]);
    await load(db(), conversation, params());
    expect(await preview()).toEqual(['Question elsewhere', 'question', undefined]);
  });

  it('that is none is not taken', async () => {
    await db().messages.put(unanswered({ id: 'a' }));
    await takeAnswer({ chat_id: 'a' });
    await takeAnswer('nonsense');
    expect(await db().messages.get('a')).toMatchObject({ chat_status: 'message' });
  });
});

describe('after a gap', () => {
  it('conversations that wait for an answer are read again, and no others', async () => {
    await db().messages.bulkPut([unanswered({ id: 'a' }), chatRow({ id: 'z', archive_id: 'finished' })]);
    answer = chats([chatRow({ id: 'a' })]);
    await pullMissed();
    expect(asked.mock.calls.flat()).toEqual([expect.stringContaining(`/archive/${ARCHIVE}/chats`)]);
    expect(await db().messages.get('a')).toMatchObject({ ai_response: 'Answer a' });
  });

  it('without a connection everything stays as it is', async () => {
    await db().messages.put(unanswered({ id: 'a' }));
    answer = () => Promise.reject(new TypeError('offline'));
    await pullMissed();
    expect(await shown()).toEqual(['a']);
  });
});
