import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deleteArchive, dropEdit, renameArchive } from '#client/features/archive/archive-edits.ts';
import { archiveEditsLane } from '#client/features/archive/archive-lanes.ts';
import { ArchivePanel } from '#client/features/archive/archive-panel.tsx';
import { ArchiveSidebar } from '#client/features/archive/archive-sidebar.tsx';
import { archives, loadPage } from '#client/features/archive/archives.ts';
import { takeTitle } from '#client/features/archive/follow-archives.ts';
import { load, store } from '#client/platform/cache/resource.ts';
import { deviceDb } from '#client/platform/db/device-db.ts';
import { type UserDb, userDb } from '#client/platform/db/user-db.ts';
import { drainLane } from '#client/platform/outbox/http-lanes.ts';
import { enqueue } from '#client/platform/outbox/outbox.ts';
import { QUESTIONS, type Question } from '#client/platform/outbox/questions.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import type { Archive } from '#contract/chat/archive.ts';
import { imagePath, previewPath } from '#contract/chat/chat-images.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { chatRow } from '#tests/support/chat/chat-rows.ts';
import { fakeUpload } from '#tests/support/client/fake-upload.ts';

const A = '11111111-1111-4111-8111-111111111111';
const B = '22222222-2222-4222-8222-222222222222';
const C = '33333333-3333-4333-8333-333333333333';
const today = new Date().toISOString();

let user = 0;
let db: UserDb;
let listed: Archive[];
/** Calls other than those for the list. */
let told: string[];
let refusal: { status: number; code: string; message: string } | undefined;

beforeEach(async () => {
  user += 1;
  const userId = `edits-${user}`;
  db = userDb(userId);
  listed = [
    { id: A, archive_title: 'First', created_at: today },
    { id: B, archive_title: '', created_at: today },
  ];
  told = [];
  refusal = undefined;
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (String(url).includes('/archives/')) return Response.json({ status: 200, data: listed });
    told.push(`${init?.method} ${url}`);
    return refusal ? Response.json(refusal, { status: refusal.status }) : Response.json({ status: 200, message: 'Done' });
  });
  await signIn(makeTokens({ sub: userId }), true);
  await load(db, archives, { userId });
});

afterEach(async () => {
  cleanup();
  await endSession();
  vi.unstubAllGlobals();
});

const reload = () => load(db, archives, { userId: `edits-${user}` });
const titles = async () => Object.fromEntries((await db.archives.toArray()).map(({ id, archive_title }) => [id, archive_title]));
const keepScreen = async () => {
  const screen = { sessionId: 's', build: 'b', theme: 'dark', width: 'wide', zone: '0', html: '<p>Q</p>', savedAt: 1 };
  await deviceDb.screens.put({ address: `/chat/archive/${A}`, ...screen });
};
const lane = archiveEditsLane(() => {});
const waiting = () => db.outbox.where('lane').equals(lane.name).toArray();

describe('a new name', () => {
  it('shows at once and stays, whatever title the server lists or generates', async () => {
    await renameArchive(db, A, 'Mine');
    expect(await titles()).toMatchObject({ [A]: 'Mine' });
    await reload();
    await takeTitle({ archive_id: A, title: 'Thought up' });
    expect(await titles()).toMatchObject({ [A]: 'Mine' });
  });

  it('is sent once, and only the last one', async () => {
    const uploads = fakeUpload((form) => ({
      status: 200,
      body: { status: 200, data: { id: A, archive_title: form.get('archiveTitle'), created_at: today } },
    }));
    await renameArchive(db, A, 'Mine');
    await renameArchive(db, A, 'Mine, better');
    expect(await drainLane(db, lane)).toBe('empty');
    expect(uploads.map(({ call, form }) => [call, form.get('archiveTitle')])).toEqual([[`PATCH /api/archive/${A}/title`, 'Mine, better']]);
    expect(uploads[0]?.headers.get('Idempotency-Key')).toBeTruthy();
    expect(await waiting()).toEqual([]);
  });

  it('waits for a conversation that has yet to be sent', async () => {
    const uploads = fakeUpload(() => ({ status: 200, body: { status: 200, data: { id: A, archive_title: '', created_at: today } } }));
    const message = { client_id: B, user_id: 'u', archive_id: A, message: 'Q', chat_id: 0, chat_image: null } as const;
    await enqueue<Question>(db, { id: B, lane: QUESTIONS, body: { message, newArchive: true }, createdAt: 0 });
    await renameArchive(db, A, 'Early');
    expect(await drainLane(db, lane)).toBe('stopped');
    expect(uploads).toEqual([]);
    await db.outbox.where('id').equals(B).delete();
    expect(await drainLane(db, lane)).toBe('empty');
    expect(uploads).toHaveLength(1);
  });

  it('of a conversation whose first question was refused stays, and holds up no other name or deletion', async () => {
    const uploads = fakeUpload(() => ({ status: 200, body: { status: 200, data: { id: B, archive_title: '', created_at: today } } }));
    const message = { client_id: B, user_id: 'u', archive_id: A, message: 'Q', chat_id: 0, chat_image: null } as const;
    await enqueue<Question>(db, { id: B, lane: QUESTIONS, body: { message, newArchive: true }, createdAt: 0 });
    await db.outbox.where('id').equals(B).modify({ state: 'parked', reason: 'You have 5,000 chats.' });
    await renameArchive(db, A, 'Mine');
    await renameArchive(db, B, 'Other');
    await deleteArchive(db, C);
    await drainLane(db, lane);
    expect(uploads.map(({ call }) => call)).toEqual([`PATCH /api/archive/${B}/title`]);
    expect(told).toEqual([`DELETE /api/archive/${C}`]);
    await reload();
    expect(await titles()).toMatchObject({ [A]: 'Mine' });
    await db.outbox.where('id').equals(B).delete();
    expect(await drainLane(db, lane)).toBe('empty');
    expect(uploads[1]?.call).toBe(`PATCH /api/archive/${A}/title`);
  });
});

describe('a deletion', () => {
  it('removes the conversation with its messages, draft and queued questions from the device', async () => {
    await db.messages.bulkPut([chatRow({ id: 'm1', archive_id: A }), chatRow({ id: 'm2', archive_id: B })]);
    await db.drafts.put({ key: A, text: 'half', imageId: null, editing: null });
    const message = { client_id: 'q', user_id: 'u', archive_id: A, message: 'Q', chat_id: 0, chat_image: null } as const;
    await enqueue<Question>(db, { id: 'q', lane: QUESTIONS, body: { message, newArchive: false }, createdAt: 0 });
    await keepScreen();
    await deleteArchive(db, A);
    expect(await deviceDb.screens.count()).toBe(0);
    await reload(); // the server still lists it
    expect(Object.keys(await titles())).toEqual([B]);
    expect(await db.messages.toCollection().primaryKeys()).toEqual(['m2']);
    expect(await db.drafts.count()).toBe(0);
    expect(await db.outbox.where('lane').equals(QUESTIONS).count()).toBe(0);
  });

  it.each([
    ['the first page', reload],
    ['a later page', () => loadPage(`edits-${user}`, { next: 'after-first', last: undefined })],
  ])('on another device, as %s of the list tells, deletes the stored first screens', async (_which, read) => {
    await keepScreen();
    await read();
    expect(await deviceDb.screens.count()).toBe(1);
    listed = listed.slice(1);
    await read();
    expect(Object.keys(await titles())).toEqual([B]);
    await vi.waitFor(async () => expect(await deviceDb.screens.count()).toBe(0));
  });

  it('leaves no picture of it on the device, sent or not, and every picture of other conversations', async () => {
    const id = (letter: string) => `${letter.repeat(8)}-aaaa-4aaa-8aaa-aaaaaaaaaaaa`;
    const keep = async (image: string) => {
      const bytes = new ArrayBuffer(1);
      await db.attachments.put({ id: image, name: 'a.png', type: 'image/png', bytes, width: 1, height: 1 });
      await db.images.bulkPut([imagePath(image), previewPath(image)].map((path) => ({ path, type: 'image/png', bytes })));
    };
    for (const letter of ['a', 'b', 'c', 'd']) await keep(id(letter));
    const shown = (image: string) => ({ chat_image: imagePath(image), preview_image: previewPath(image) });
    await db.messages.bulkPut([
      chatRow({ id: 'm1', archive_id: A, ...shown(id('a')) }),
      chatRow({ id: 'm2', archive_id: B, ...shown(id('d')) }),
    ]);
    await db.drafts.bulkPut([
      { key: A, text: '', imageId: id('b'), editing: null },
      { key: `edit/${A}`, text: 'changed', imageId: id('c'), editing: 'm1' },
      { key: B, text: 'half', imageId: null, editing: null },
      { key: 'contact', text: 'half', imageId: null, editing: null },
    ]);
    await deleteArchive(db, A);
    expect(await db.attachments.toCollection().primaryKeys()).toEqual([id('d')]);
    expect(await db.images.toCollection().primaryKeys()).toEqual([imagePath(id('d')), previewPath(id('d'))]);
    expect(await db.drafts.toCollection().primaryKeys()).toEqual([B, 'contact']);
  });

  it('is sent once, also where another device was first', async () => {
    refusal = { status: 404, code: 'not_found', message: 'Gone' };
    await renameArchive(db, A, 'Never mind');
    await deleteArchive(db, A);
    expect(await drainLane(db, lane)).toBe('empty');
    expect(told).toEqual([`DELETE /api/archive/${A}`]);
  });

  it('that is refused can be reverted', async () => {
    refusal = { status: 422, code: 'no', message: 'No.' };
    await deleteArchive(db, A);
    const refused = vi.fn();
    await drainLane(db, lane, refused);
    expect(refused).toHaveBeenCalledWith({ archiveId: A, title: null }, 'No.');
    await dropEdit(db, A);
    await reload();
    expect(Object.keys(await titles())).toEqual([A, B]);
  });
});

const show = (page: React.ReactNode) =>
  render(<SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>{page}</SWRConfig>);

describe('a change that the server takes while a list is on its way', () => {
  const params = () => ({ userId: `edits-${user}` });
  /** The server has read the first list that is asked for from here on when it takes the deletion. Counts these lists. */
  const deletedMeanwhile = () => {
    const lists: string[] = [];
    const server = fetch;
    vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
      const answer = await server(url, init);
      if (!url.includes('/archives/') || lists.push(url) > 1) return answer;
      await deleteArchive(db, A);
      expect(await drainLane(db, lane)).toBe('empty');
      listed = listed.slice(1);
      return answer;
    });
    return lists;
  };

  it('is newer than that list', async () => {
    fakeUpload(() => ({ status: 200, body: { status: 200, data: { id: B, archive_title: 'Mine', created_at: today } } }));
    const answered = await archives.fetch(params());
    await deleteArchive(db, A);
    await renameArchive(db, B, 'Mine');
    expect(await drainLane(db, lane)).toBe('empty');
    await store(db, archives, params(), answered);
    expect(await titles()).toEqual({ [B]: 'Mine' });
  });

  it('is newer than a further page, which is asked for again', async () => {
    const lists = deletedMeanwhile();
    await loadPage(params().userId, { next: 'after-first', last: undefined });
    expect(lists).toHaveLength(2);
    expect(await titles()).toEqual({ [B]: '' });
  });

  it('is newer than what a search finds, which is asked for again', async () => {
    show(<ArchivePanel onDeleted={() => {}} />);
    await screen.findByText('First');
    const lists = deletedMeanwhile();
    fireEvent.change(screen.getByPlaceholderText('Search chat...'), { target: { value: 'irs' } });
    await waitFor(() => expect(lists).toHaveLength(2));
    await waitFor(() => expect(screen.queryByText('First')).toBeNull());
    expect(await titles()).toEqual({ [B]: '' });
  });
});

describe('the menu of a row', () => {
  async function choose(action: string, title = 'First') {
    fireEvent.click(await screen.findByRole('button', { name: `Actions for ${title}` }));
    fireEvent.click(screen.getByRole('menuitem', { name: action }));
  }

  it('goes through its items by keyboard, and gives the focus back', async () => {
    show(<ArchivePanel onDeleted={() => {}} />);
    const button = await screen.findByRole('button', { name: 'Actions for First' });
    fireEvent.click(button);
    const rename = screen.getByRole('menuitem', { name: 'Rename' });
    const pin = screen.getByRole('menuitem', { name: 'Pin' });
    const remove = screen.getByRole('menuitem', { name: 'Delete' });
    expect(document.activeElement).toBe(rename);
    fireEvent.keyDown(rename, { key: 'ArrowDown' });
    expect(document.activeElement).toBe(pin);
    fireEvent.keyDown(pin, { key: 'ArrowDown' });
    expect(document.activeElement).toBe(remove);
    fireEvent.keyDown(remove, { key: 'ArrowDown' });
    expect(document.activeElement).toBe(rename);
    fireEvent.keyDown(rename, { key: 'Escape' });
    expect(screen.queryByRole('menu')).toBeNull();
    expect(document.activeElement).toBe(button);
  });

  it('renames, and says that a title is required', async () => {
    show(<ArchivePanel onDeleted={() => {}} />);
    await choose('Rename');
    const field = await screen.findByLabelText('Title');
    fireEvent.change(field, { target: { value: '  ' } });
    fireEvent.click(screen.getByRole('button', { name: 'Rename' }));
    expect(await screen.findByText('Title is required!')).toBeTruthy();
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: 'Second thoughts' } });
    fireEvent.click(screen.getByRole('button', { name: 'Rename' }));
    expect(await screen.findByText('Second thoughts')).toBeTruthy();
  });

  it('deletes after a question, in the sidebar too', async () => {
    const deleted = vi.fn();
    show(<ArchiveSidebar current={A} onClose={() => {}} onDeleted={deleted} />);
    expect(await screen.findByRole('heading', { name: 'Today' })).toBeTruthy();
    expect(screen.getByText('New Title')).toBeTruthy();
    await choose('Delete');
    expect((await screen.findByText(/is deleted with all its questions/)).textContent).toContain('"First"');
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(deleted).toHaveBeenCalledWith(A));
    await waitFor(() => expect(screen.queryByText('First')).toBeNull());
  });
});
