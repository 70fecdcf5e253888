import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ArchiveActions } from '#client/features/archive/archive-actions.tsx';
import { deleteArchive } from '#client/features/archive/archive-edits.ts';
import { pinsLane } from '#client/features/archive/archive-lanes.ts';
import { ArchivePanel } from '#client/features/archive/archive-panel.tsx';
import { ArchiveSidebar } from '#client/features/archive/archive-sidebar.tsx';
import { archives } from '#client/features/archive/archives.ts';
import { takeTitle } from '#client/features/archive/follow-archives.ts';
import { dropPins, pinArchive, pinnedArchives } from '#client/features/archive/pins.ts';
import { useConversation } from '#client/features/chat/conversation/use-conversation.ts';
import { load } from '#client/platform/cache/resource.ts';
import { type UserDb, userDb } from '#client/platform/db/user-db.ts';
import { drainLane } from '#client/platform/outbox/http-lanes.ts';
import { enqueue } from '#client/platform/outbox/outbox.ts';
import { QUESTIONS, type Question } from '#client/platform/outbox/questions.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import type { Archive } from '#contract/chat/archive.ts';
import { MAX_PINS } from '#contract/chat/archive-limits.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';

const idOf = (number: number) => `${String(number).padStart(8, '0')}-1111-4111-8111-111111111111`;
const [A, B, C] = [idOf(1), idOf(2), idOf(3)];
/** Today, the highest number first. */
const row = (number: number, more: Partial<Archive> = {}): Archive => ({
  id: idOf(number),
  archive_title: `Chat ${number}`,
  created_at: new Date(now + number).toISOString(),
  ...more,
});
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

let user = 0;
/** One time for all rows of a test, or a pause between two of them would change their order. */
let now: number;
let db: UserDb;
let listed: Archive[];
let pinned: Archive[] | undefined;
let told: string[];
let refusal: { status: number; code: string; message: string } | undefined;

beforeEach(async () => {
  user += 1;
  now = Date.now();
  db = userDb(`pins-${user}`);
  listed = [row(3), row(2), row(1)];
  pinned = [];
  told = [];
  refusal = undefined;
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (String(url).includes('/archives/')) return Response.json({ status: 200, data: listed, next: null, pinned });
    told.push(`${init?.method} ${url} ${init?.body}`);
    return refusal ? Response.json(refusal, { status: refusal.status }) : Response.json({ status: 200, data: row(1) });
  });
  await signIn(makeTokens({ sub: `pins-${user}` }), true);
  await pull();
});

afterEach(async () => {
  cleanup();
  await endSession();
  vi.unstubAllGlobals();
});

const pull = () => load(db, archives, { userId: `pins-${user}` });
const pin = (archiveId: string, isPinned = true, minute = 0) =>
  pinArchive(db, { archiveId, pinned: isPinned }, { clock: () => Date.parse(at(minute)) });
const shown = async () => (await pinnedArchives(db)).map(({ id }) => id);
const show = (page: React.ReactNode) =>
  render(<SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>{page}</SWRConfig>);
const namesIn = (group: string) =>
  within(screen.getByRole('region', { name: group }))
    .getAllByRole('link')
    .flatMap((link) => (link.getAttribute('href')?.startsWith('/chat/archive/') ? [link.firstChild?.textContent] : []));

/** The menu of an open chat. */
function OpenMenu() {
  const { archive } = useConversation(A);
  return archive ? <ArchiveActions archive={archive} onDeleted={() => {}} /> : null;
}

describe('a pin', () => {
  it('shows at once, the last one first, and stays while the server does not know it', async () => {
    await pin(A, true, 1);
    await pin(C, true, 2);
    await pull();
    expect(await shown()).toEqual([C, A]);
    await pin(C, false, 3);
    await pull();
    expect(await shown()).toEqual([A]);
  });

  it('is sent once, and only as it is at last', async () => {
    await pin(A);
    await pin(A, false);
    await pin(A);
    expect(
      await drainLane(
        db,
        pinsLane(() => {}),
      ),
    ).toBe('empty');
    expect(told).toEqual([`PUT /api/archive/${A}/pin {"pinned":true}`]);
    expect(await db.outbox.count()).toBe(0);
  });

  it('waits for a conversation that has yet to be sent, and goes with one that is deleted', async () => {
    const message = { client_id: B, user_id: 'u', archive_id: A, message: 'Q', chat_id: 0, chat_image: null } as const;
    await enqueue<Question>(db, { id: B, lane: QUESTIONS, body: { message, newArchive: true }, createdAt: 0 });
    await pin(A);
    expect(
      await drainLane(
        db,
        pinsLane(() => {}),
      ),
    ).toBe('stopped');
    expect(told).toEqual([]);
    await deleteArchive(db, A);
    expect(
      await drainLane(
        db,
        pinsLane(() => {}),
      ),
    ).toBe('empty');
    expect([told, await shown()]).toEqual([[], []]);
  });

  it('of a conversation whose first question was refused holds up no other, and goes once that question is sent', async () => {
    const message = { client_id: B, user_id: 'u', archive_id: A, message: 'Q', chat_id: 0, chat_image: null } as const;
    await enqueue<Question>(db, { id: B, lane: QUESTIONS, body: { message, newArchive: true }, createdAt: 0 });
    await db.outbox.where('id').equals(B).modify({ state: 'parked', reason: 'You have 5,000 chats.' });
    await pin(A);
    await pin(C);
    const drainPins = () =>
      drainLane(
        db,
        pinsLane(() => {}),
      );
    await drainPins();
    expect(told).toEqual([`PUT /api/archive/${C}/pin {"pinned":true}`]);
    await pull();
    expect(await shown()).toContain(A);
    await db.outbox.where('id').equals(B).delete();
    expect(await drainPins()).toBe('empty');
    expect(told.slice(1)).toEqual([`PUT /api/archive/${A}/pin {"pinned":true}`]);
  });

  it('of a conversation that another device deleted is dropped, and a refused one is taken back', async () => {
    refusal = { status: 404, code: 'not_found', message: 'Gone' };
    await pin(A);
    expect(
      await drainLane(
        db,
        pinsLane(() => {}),
      ),
    ).toBe('empty');
    refusal = { status: 409, code: 'too_many_pins', message: 'Too many.' };
    await pin(B);
    const refused = vi.fn();
    await drainLane(
      db,
      pinsLane(() => {}),
      refused,
    );
    expect(refused).toHaveBeenCalledWith({ archiveId: B, pinned: true }, 'Too many.');
    await dropPins(db, B);
    await pull();
    expect(await shown()).toEqual([]);
  });

  it('of another device comes with the list, from behind its first page too, and over the socket', async () => {
    pinned = [row(9, { created_at: at(9), pinned_at: at(3) }), row(2, { pinned_at: at(2) })];
    listed = [row(3), row(2, { pinned_at: at(2) }), row(1)];
    await pull();
    expect(await shown()).toEqual([idOf(9), B]);
    await takeTitle({ archive_id: A, title: 'Chat 1', pinned_at: at(4) });
    expect(await shown()).toEqual([A, idOf(9), B]);
    await takeTitle({ archive_id: A, title: 'New name' });
    expect(await shown()).toEqual([A, idOf(9), B]);
    await takeTitle({ archive_id: A, title: 'New name', pinned_at: null });
    expect(await shown()).toEqual([idOf(9), B]);
    await pin(B, false);
    await takeTitle({ archive_id: B, title: 'Chat 2', pinned_at: at(5) });
    expect(await shown()).toEqual([idOf(9)]);
    [pinned, listed] = [[], [row(3), row(2), row(1)]];
    await pull();
    expect(await shown()).toEqual([]);
  });
});

describe('in the lists', () => {
  async function choose(action: string, title: string) {
    fireEvent.click(await screen.findByRole('button', { name: `Actions for ${title}` }));
    fireEvent.click(screen.getByRole('menuitem', { name: action }));
  }

  it.each([
    ['the archive', <ArchivePanel key="a" onDeleted={() => {}} />, 'Other chats'],
    ['the sidebar', <ArchiveSidebar key="b" current={undefined} onClose={() => {}} onDeleted={() => {}} />, 'Today'],
  ])('of %s, pinned ones stand first under their own heading, once, and keep the focus of their menu', async (_name, list, others) => {
    show(list);
    await choose('Pin', 'Chat 1');
    await waitFor(() => expect(namesIn('Pinned')).toEqual(['Chat 1']));
    expect(namesIn(others)).toEqual(['Chat 3', 'Chat 2']);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Actions for Chat 1' }));
    await choose('Pin', 'Chat 2');
    await waitFor(() => expect(namesIn('Pinned')).toEqual(['Chat 2', 'Chat 1']));
    await choose('Unpin', 'Chat 2');
    await waitFor(() => expect(namesIn('Pinned')).toEqual(['Chat 1']));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Actions for Chat 2' }));
    await choose('Unpin', 'Chat 1');
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Pinned' })).toBeNull());
  });

  it('a search shows pinned ones in their order, without a heading', async () => {
    await pin(A);
    show(<ArchivePanel onDeleted={() => {}} />);
    await waitFor(() => expect(namesIn('Pinned')).toEqual(['Chat 1']));
    fireEvent.change(screen.getByPlaceholderText('Search chat...'), { target: { value: 'chat' } });
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Pinned' })).toBeNull());
    const titles = () => screen.getAllByRole('link', { name: /^Chat \d/ }).map((link) => link.firstChild?.textContent);
    await waitFor(() => expect(titles()).toEqual(['Chat 3', 'Chat 2', 'Chat 1']));
  });

  it('the limit is said at the place, and nothing is queued', async () => {
    await db.archives.bulkPut(Array.from({ length: MAX_PINS }, (_, index) => row(100 + index, { pinned_at: at(index) })));
    pinned = await pinnedArchives(db);
    listed = [...pinned, ...listed];
    show(<ArchivePanel onDeleted={() => {}} />);
    await choose('Pin', 'Chat 1');
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(`${MAX_PINS} chats are pinned already. Unpin one to pin this one.`)).toBeDefined();
    expect(await db.outbox.count()).toBe(0);
    fireEvent.click(dialog.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
    await choose('Unpin', 'Chat 100');
    await waitFor(async () => expect(await shown()).toHaveLength(MAX_PINS - 1));
  });

  it('the open chat is pinned from its own menu', async () => {
    show(<OpenMenu />);
    await choose('Pin', 'Chat 1');
    await waitFor(async () => expect(await shown()).toEqual([A]));
    await choose('Unpin', 'Chat 1');
    await waitFor(async () => expect(await shown()).toEqual([]));
  });
});
