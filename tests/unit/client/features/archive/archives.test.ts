import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deleteArchive, renameArchive } from '#client/features/archive/archive-edits.ts';
import { archives, firstEdge, loadPage } from '#client/features/archive/archives.ts';
import { takeTitle } from '#client/features/archive/follow-archives.ts';
import { searchArchives } from '#client/features/archive/search-archives.ts';
import { load } from '#client/platform/cache/resource.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { enqueue } from '#client/platform/outbox/outbox.ts';
import { QUESTIONS, type Question } from '#client/platform/outbox/questions.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import type { Archive } from '#contract/chat/archive.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { chatRow } from '#tests/support/chat/chat-rows.ts';

let user = 0;
let userId: string;
let listed: () => Archive[];
/** The cursor of the server's next response. */
let next: string | null;
const asked = vi.fn<(url: string) => void>();

const db = () => userDb(userId);
const row = (id: string, title = `Title ${id}`, day = 1): Archive => ({
  id,
  archive_title: title,
  created_at: `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z`,
});
const pull = () => load(db(), archives, { userId });
const shown = async () => (await archives.read(db(), { userId }, true))?.map(({ id }) => id);
const waitToSend = (archive_id: string) =>
  enqueue<Question>(db(), {
    id: `q-${archive_id}`,
    lane: QUESTIONS,
    createdAt: 0,
    body: {
      newArchive: true,
      message: { client_id: `q-${archive_id}`, user_id: userId, archive_id, message: 'Q', chat_id: 0, chat_image: null },
    },
  });

beforeEach(async () => {
  user += 1;
  userId = `archivist-${user}`;
  listed = () => [];
  next = null;
  asked.mockReset();
  vi.stubGlobal('fetch', async (url: string) => {
    asked(url);
    return Response.json({ status: 200, data: listed(), next });
  });
  await signIn(makeTokens({ sub: userId }), true);
});

afterEach(async () => {
  await endSession();
  vi.unstubAllGlobals();
});

describe('the list of conversations', () => {
  it('is what the server lists, newest first', async () => {
    listed = () => [row('old', 'Old', 1), row('new', 'New', 2)];
    await pull();
    expect(await shown()).toEqual(['new', 'old']);
    expect(asked.mock.calls).toEqual([[expect.stringMatching(new RegExp(`/user/${userId}/archives/$`))]]);
  });

  it('keeps previews on the device, and those of questions that wait to be sent', async () => {
    listed = () => [
      { ...row('sent'), preview: 'On the server' },
      { ...row('waits'), preview: 'On the server' },
    ];
    await db().archives.bulkPut([row('sent'), { ...row('waits'), preview: 'Asked offline' }]);
    await waitToSend('waits');
    await pull();
    const previews = async () => Object.fromEntries((await db().archives.toArray()).map(({ id, preview }) => [id, preview]));
    expect(await previews()).toEqual({ sent: 'On the server', waits: 'Asked offline' });
    await db().outbox.clear();
    await pull();
    expect(await previews()).toEqual({ sent: 'On the server', waits: 'On the server' });
  });

  it('keeps the preview of an answer that came while the list was on its way', async () => {
    await db().archives.put({ ...row('a'), preview: 'It is.', preview_of: 'answer' });
    await db().messages.put(chatRow({ id: 'm', archive_id: 'a', user_message: 'Is it?', ai_response: 'It is.' }));
    listed = () => [{ ...row('a'), preview: 'Is it?', preview_of: 'waiting' }];
    await pull();
    expect(await db().archives.get('a')).toMatchObject({ preview: 'It is.', preview_of: 'answer' });
    listed = () => [{ ...row('a'), preview: 'And now?', preview_of: 'waiting' }];
    await pull();
    expect(await db().archives.get('a')).toMatchObject({ preview: 'And now?', preview_of: 'waiting' });
  });

  it('takes new titles, and drops what is gone with all that was in it', async () => {
    await db().archives.bulkPut([row('a', ''), row('gone')]);
    await db().messages.bulkPut([chatRow({ id: 'm1', archive_id: 'gone' }), chatRow({ id: 'm2', archive_id: 'a' })]);
    await db().stamps.put({ key: 'chats/gone', savedAt: 1 });
    listed = () => [row('a', 'Named')];
    await pull();
    expect(await db().archives.toArray()).toEqual([row('a', 'Named')]);
    expect(await db().messages.toCollection().primaryKeys()).toEqual(['m2']);
    expect(await db().stamps.get('chats/gone')).toBeUndefined();
  });

  it('keeps those that wait here to be sent', async () => {
    await db().archives.put(row('mine', ''));
    await waitToSend('mine');
    await pull();
    expect(await shown()).toEqual(['mine']);
  });

  it('keeps one that was begun, and even sent, while the answer was on its way', async () => {
    await db().archives.put(row('sent', ''));
    await waitToSend('sent');
    listed = () => {
      void db().outbox.clear(); // acknowledged: the server has it, but this list does not
      void db().archives.put(row('begun', ''));
      return [];
    };
    await pull();
    expect((await shown())?.sort()).toEqual(['begun', 'sent']);
  });

  it('keeps one that is begun while the request is being prepared, and sent before its answer', async () => {
    listed = () => {
      void db().outbox.clear();
      return [];
    };
    const pulling = pull();
    await db().transaction('rw', db().archives, db().outbox, async () => {
      await db().archives.put(row('begun', ''));
      await waitToSend('begun');
    });
    await pulling;
    expect(await shown()).toEqual(['begun']);
  });

  it('distinguishes an unknown list from an empty one', async () => {
    expect(await archives.read(db(), { userId }, false)).toBeUndefined();
    expect(await archives.read(db(), { userId }, true)).toEqual([]);
  });
});

describe('pages of the list', () => {
  const ids = () => db().archives.orderBy('created_at').reverse().primaryKeys();

  it('replace what the device had in their own range only', async () => {
    await db().archives.bulkPut([
      row('9'),
      row('new, gone', '', 9),
      row('8', 'Old name', 8),
      row('5', '', 5),
      row('gone', '', 4),
      row('1'),
    ]);
    next = 'after-8';
    listed = () => [row('9', 'Nine', 9), row('8', 'New name', 8)];
    await pull();
    expect(await ids()).toEqual(['9', '8', '5', 'gone', '1']);
    expect((await db().archives.get('8'))?.archive_title).toBe('New name');

    next = null;
    listed = () => [row('5', 'Five', 5)];
    const first = firstEdge(db());
    expect(first).toEqual({ next: 'after-8', last: row('8', 'New name', 8) });
    expect(first && (await loadPage(userId, first))).toEqual({ next: null, last: row('5', 'Five', 5) });
    expect(asked.mock.calls.at(-1)?.[0]).toMatch(/archives\/\?cursor=after-8$/);
    expect(await ids()).toEqual(['9', '8', '5']);
  });

  it('tell rows of one moment apart by their ids', async () => {
    await db().archives.bulkPut([row('b'), row('d'), row('f')]);
    next = 'after-e';
    listed = () => [row('g'), row('e')];
    await pull();
    // With equal times, the greater id comes first: `f` was deleted, `d` and `b` are on the next page.
    expect((await ids()).sort()).toEqual(['b', 'd', 'e', 'g']);
    next = null;
    listed = () => [row('d')];
    const first = firstEdge(db());
    if (first) await loadPage(userId, first);
    expect((await ids()).sort()).toEqual(['d', 'e', 'g']);
  });

  it('keep what was renamed, deleted or begun here on whichever page', async () => {
    await db().archives.bulkPut([row('b', 'Mine', 2), row('mine', '', 1)]);
    await waitToSend('mine');
    await renameArchive(db(), 'b', 'Mine, better');
    await deleteArchive(db(), 'c');
    next = 'after-d';
    listed = () => [row('d', '', 4)];
    await pull();
    next = null;
    listed = () => [row('c', 'Deleted', 3), row('b', 'Mine', 2)];
    const first = firstEdge(db());
    if (first) await loadPage(userId, first);
    expect(await ids()).toEqual(['d', 'b', 'mine']);
    expect((await db().archives.get('b'))?.archive_title).toBe('Mine, better');
  });

  it('of a server without pages are the whole list', async () => {
    await db().archives.bulkPut([row('gone', '', 1)]);
    vi.stubGlobal('fetch', async () => Response.json({ status: 200, data: [row('only', '', 5)] }));
    await pull();
    expect(await ids()).toEqual(['only']);
  });
});

describe('a title over the socket', () => {
  it('is stored with its conversation', async () => {
    await db().archives.put(row('a', ''));
    await takeTitle({ archive_id: 'a', title: 'Bitcoin' });
    expect((await db().archives.get('a'))?.archive_title).toBe('Bitcoin');
    expect(asked).not.toHaveBeenCalled();
  });

  it('does not undo a rename that is queued while it is being stored', async () => {
    await db().archives.put(row('a', ''));
    const taking = takeTitle({ archive_id: 'a', title: 'Bitcoin' });
    await renameArchive(db(), 'a', 'Mine');
    await taking;
    expect((await db().archives.get('a'))?.archive_title).toBe('Mine');
  });

  it('of a conversation from another device brings the list', async () => {
    listed = () => [row('far', 'Far')];
    await takeTitle({ archive_id: 'far', title: 'Far' });
    expect(await shown()).toEqual(['far']);
  });
});

describe('searching on the device', () => {
  beforeEach(async () => {
    await db().archives.bulkPut([row('1', 'Café prices', 1), row('2', 'Staking', 2), row('3', '', 3)]);
    await db().messages.bulkPut([
      chatRow({ id: 'a', archive_id: '2', user_message: 'What is it?', ai_response: 'Locking coins to secure Ethereum.' }),
      chatRow({ id: 'b', archive_id: '3', user_message: 'Compare BTC', ai_response: '' }),
    ]);
  });

  it.each([
    ['a title, whatever its case and accents', 'CAFE', ['1']],
    ['a question', 'compare', ['3']],
    ['an answer', 'secure ethereum', ['2']],
    ['several, newest first', 'c', ['3', '2', '1']],
    ['nothing', 'dogecoin', []],
    ['no pattern', '.*', []],
  ])('finds %s', async (_what, text, ids) => {
    expect((await searchArchives(db(), text)).map(({ id }) => id)).toEqual(ids);
  });
});
