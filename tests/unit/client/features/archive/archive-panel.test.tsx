import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deleteArchive } from '#client/features/archive/archive-edits.ts';
import { ArchivePanel } from '#client/features/archive/archive-panel.tsx';
import { ArchiveSidebar } from '#client/features/archive/archive-sidebar.tsx';
import { RecentChats } from '#client/features/archive/recent-chats.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import { amountsHidden } from '#client/platform/device-choices/hidden-amounts.ts';
import { reportReachable } from '#client/platform/live/reachability.ts';
import { history } from '#client/platform/router/history.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import type { Archive } from '#contract/chat/archive.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { buttonsWork } from '#tests/support/client/buttons-work.ts';

let user = 0;
let userId: string;
/** The server's response to a search text, or its error. */
let answer: (search: string) => Archive[];
const asked: string[] = [];

const PAGE = 100;
const row = (number: number, title = `Chat ${number}`): Archive => ({
  id: `id-${number}`,
  archive_title: title,
  created_at: new Date(Date.UTC(2026, 0, number)).toISOString(),
});
/** Newest first, like the server. */
const many = (count: number, title = 'Chat') =>
  Array.from({ length: count }, (_, index) => row(count - index, `${title} ${count - index}`));
const more = () => screen.queryByRole('button', { name: 'Show more' });
const showMore = async () => fireEvent.click(await screen.findByRole('button', { name: 'Show more' }));
const offline = () => {
  throw new TypeError('offline');
};
const show = (page: React.ReactNode) =>
  render(<SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>{page}</SWRConfig>);
// By role, a look at 250 rows takes a second on a busy machine, and there are many.
const titles = () => [...document.querySelectorAll('a[href*="id-"]')].map((link) => link.firstChild?.textContent);
const search = (text: string) => fireEvent.change(screen.getByPlaceholderText('Search chat...'), { target: { value: text } });

beforeEach(async () => {
  user += 1;
  userId = `panel-${user}`;
  asked.length = 0;
  answer = () => [];
  vi.stubGlobal('fetch', async (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const text = decodeURIComponent(pathname.split('/archives/')[1] ?? '');
    asked.push(text);
    const from = Number(searchParams.get('cursor') ?? 0);
    const found = answer(text);
    const rows = found.slice(from, from + PAGE);
    return Response.json({ status: 200, data: rows, next: from + PAGE < found.length ? String(from + PAGE) : null });
  });
  await signIn(makeTokens({ sub: userId }), true);
});

afterEach(async () => {
  cleanup();
  reportReachable(); // ends the search for the server that an offline test began
  await endSession();
  vi.unstubAllGlobals();
});

it('lists conversations as links whose first line is the title', async () => {
  answer = () => [row(1), row(2, '')];
  show(<ArchivePanel current="id-1" onDeleted={() => {}} />);
  await waitFor(() => expect(titles()).toEqual(['No Title Generate', 'Chat 1']));
  expect(screen.getByText('Chat 1').closest('a')?.getAttribute('href')).toBe('/chat/archive/id-1');
  expect(screen.getByText('Chat 1').closest('a')?.getAttribute('aria-current')).toBe('page');
});

it('marks a conversation that is tapped, and opens it once, behind the frame that shows the mark', async () => {
  answer = () => [row(1), row(2)];
  show(<ArchivePanel onDeleted={() => {}} />);
  const link = (await screen.findByText('Chat 2')).closest('a') as HTMLAnchorElement;
  const [path, entries] = [history.location.pathname, window.history.length];
  fireEvent.click(link);
  fireEvent.click(link);
  expect(link.getAttribute('aria-current')).toBe('page');
  expect(history.location.pathname).toBe(path);
  await waitFor(() => expect(history.location.pathname).toBe('/chat/archive/id-2'));
  expect(link.hasAttribute('aria-current')).toBe(false);
  expect(window.history.length).toBe(entries + 1);
});

it('leaves a tap with a modifier key to the browser', async () => {
  answer = () => [row(1)];
  show(<ArchivePanel onDeleted={() => {}} />);
  const link = (await screen.findByText('Chat 1')).closest('a') as HTMLAnchorElement;
  // Returns false for an event whose default is prevented.
  expect(fireEvent.click(link, { ctrlKey: true })).toBe(true);
  expect(link.hasAttribute('aria-current')).toBe(false);
});

it('shows the start of the newest question under each title, kept on the device', async () => {
  answer = () => [
    { ...row(1), preview: 'Where is support?' },
    { ...row(2), preview: '' },
  ];
  show(<ArchivePanel onDeleted={() => {}} />);
  expect((await screen.findByText('Where is support?')).closest('a')?.textContent).toContain('Chat 1');
  expect(screen.getByText('Picture').closest('a')?.textContent).toContain('Chat 2');
  cleanup();
  answer = offline;
  show(<ArchivePanel onDeleted={() => {}} />);
  expect(await screen.findByText('Where is support?')).toBeDefined();
});

it('says what a preview is, and the state of a question without an answer, in every list', async () => {
  const now = Date.now();
  const at = (number: number) => ({ ...row(number), created_at: new Date(now - number).toISOString() });
  answer = () => [
    { ...at(4), preview: 'It is at $100.', preview_of: 'answer' },
    { ...at(3), preview: 'Where?', preview_of: 'waiting' },
    { ...at(2), preview: '', preview_of: 'failed' },
    { ...at(1), preview: 'Never mind', preview_of: 'question' },
  ];
  const texts = () =>
    screen.getAllByRole('link').flatMap((link) => (link.getAttribute('href')?.includes('id-') ? [link.lastChild?.textContent] : []));
  const lines = ['You: Never mind', 'Not answeredYou: Picture', 'No answer yetYou: Where?', 'It is at $100.'];
  const lists = [
    <ArchivePanel key="panel" onDeleted={() => {}} />,
    <ArchiveSidebar key="sidebar" current={undefined} onClose={() => {}} onDeleted={() => {}} />,
    <RecentChats key="recent" />,
  ];
  for (const list of lists) {
    show(list);
    await waitFor(() => expect(texts()).toEqual(lines));
    expect(screen.getByRole('link', { name: /^Chat 4\b.*It is at \$100\.$/ })).toBeDefined();
    cleanup();
  }
});

it('hides amounts of the user in previews where amounts are hidden, and market figures not', async () => {
  answer = () => [
    {
      ...row(1),
      preview: 'Tide has $1,012.30, +$12.30 since it started with 1.000,00\u00a0$ and 0.01',
      preview_of: 'answer',
      preview_own: true,
    },
    { ...row(2), preview: 'Bitcoin is at $63,000.00', preview_of: 'answer' },
  ];
  amountsHidden.set(true);
  try {
    show(<ArchivePanel onDeleted={() => {}} />);
    expect(await screen.findByText('Bitcoin is at $63,000.00')).toBeDefined();
    expect(screen.getByText('Tide has •••, ••• since it started with •••\u00a0$ and', { normalizer: (text) => text.trim() })).toBeDefined();
  } finally {
    amountsHidden.set(false);
  }
  expect(await screen.findByText(/^Tide has \$1,012/)).toBeDefined();
});

it('asks the server once typing has stopped, with the text encoded', async () => {
  answer = (text) => (text ? [row(7, 'Found there')] : [row(1)]);
  show(<ArchivePanel onDeleted={() => {}} />);
  await waitFor(() => expect(titles()).toEqual(['Chat 1']));
  for (const text of ['1', '10', '100', '100% / why?']) search(text);
  await waitFor(() => expect(titles()).toEqual(['Found there']));
  expect(asked.filter(Boolean)).toEqual(['100% / why?']);
});

it('searches the device when the server is unreachable, and says so', async () => {
  await userDb(userId).archives.bulkPut([row(1, 'Bitcoin'), row(2, 'Solana')]);
  answer = offline;
  show(<ArchivePanel onDeleted={() => {}} />);
  await waitFor(() => expect(titles()).toEqual(['Solana', 'Bitcoin']));
  search('bit');
  await waitFor(() => expect(titles()).toEqual(['Bitcoin']));
  expect(await screen.findByText(/Found on this device/)).toBeTruthy();
  search('nothing like it');
  expect(await screen.findByText('No chat mentions "nothing like it".')).toBeTruthy();
});

it('says what is wrong when there is nothing to show, and tries again', async () => {
  answer = offline;
  show(<ArchivePanel onDeleted={() => {}} />);
  expect((await screen.findByRole('alert')).textContent).toContain('could not be loaded');
  answer = () => [row(1)];
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(titles()).toEqual(['Chat 1']));
});

it('offers a beginning where there are no chats', async () => {
  show(<ArchivePanel onDeleted={() => {}} />);
  expect(await screen.findByText('Your chats will be kept here.')).toBeTruthy();
});

it('shows six recent chats, the newest', async () => {
  answer = () => Array.from({ length: 9 }, (_, index) => row(index + 1));
  show(<RecentChats />);
  await waitFor(() => expect(titles()).toEqual([9, 8, 7, 6, 5, 4].map((number) => `Chat ${number}`)));
  expect(screen.getByRole('link', { name: 'See All' }).getAttribute('href')).toBe('/archive');
});

it('shows placeholders for six until they load', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  show(<RecentChats />);
  expect((await screen.findByRole('status')).textContent).toBe('Loading');
  expect(screen.getByRole('status').querySelectorAll('div')).toHaveLength(6);
  expect(screen.queryByText('No recent chats here!')).toBeNull();
});

it('shows a text when there are none', async () => {
  show(<RecentChats />);
  expect(await screen.findByText('No recent chats here!')).toBeTruthy();
});

it('shows a hundred, then a page more each time, and moves the focus to the first new one', async () => {
  answer = () => many(250);
  show(<ArchivePanel onDeleted={() => {}} />);
  await waitFor(() => expect(titles()).toHaveLength(100));
  await showMore();
  await waitFor(() => expect(titles()).toHaveLength(200));
  await waitFor(() => expect(document.activeElement?.firstChild?.textContent).toBe('Chat 150'));
  await showMore();
  await waitFor(() => expect(titles()).toHaveLength(250));
  expect(titles().at(-1)).toBe('Chat 1');
  await waitFor(() => expect(more()).toBeNull());
});

it('offers no more where a full page is all there is', async () => {
  answer = () => many(100);
  show(<ArchivePanel onDeleted={() => {}} />);
  await waitFor(() => expect(titles()).toHaveLength(100));
  await waitFor(() => expect(more()).toBeNull());
});

it('continues offline with rows stored by an earlier visit', async () => {
  answer = offline;
  await userDb(userId).archives.bulkPut(many(150));
  show(<ArchivePanel onDeleted={() => {}} />);
  await waitFor(() => expect(titles()).toHaveLength(100));
  await showMore();
  await waitFor(() => expect(titles()).toHaveLength(150));
  await waitFor(() => expect(more()).toBeNull());
});

it('says why a page did not come, and asks again', async () => {
  answer = () => many(150);
  show(<ArchivePanel onDeleted={() => {}} />);
  await waitFor(() => expect(titles()).toHaveLength(100));
  await waitFor(() => expect(more()).toBeTruthy());
  answer = offline;
  await showMore();
  expect(await screen.findByRole('alert')).toBeTruthy();
  await buttonsWork();
  answer = () => many(150);
  await showMore();
  await waitFor(() => expect(titles()).toHaveLength(150));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

it('searches page by page, also what the device has already', async () => {
  answer = (text) => many(text ? 130 : 60, 'Found');
  await userDb(userId).archives.bulkPut(many(60, 'Found'));
  show(<ArchivePanel onDeleted={() => {}} />);
  search('found');
  await waitFor(() => expect(titles()).toHaveLength(100));
  await showMore();
  await waitFor(() => expect(titles()).toHaveLength(130));
  await waitFor(() => expect(more()).toBeNull());
});

/** Until then, the empty list may end what a search has stored. */
const listIsRead = () => screen.findByText('Your chats will be kept here.');

it('looks through empty pages of a search by itself', async () => {
  vi.stubGlobal('fetch', async (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const from = Number(searchParams.get('cursor') ?? 0);
    if (pathname.endsWith('/archives/')) return Response.json({ status: 200, data: [], next: null });
    return Response.json({ status: 200, data: from === 3 ? [row(1, 'Far away')] : [], next: from === 3 ? null : String(from + 1) });
  });
  show(<ArchivePanel onDeleted={() => {}} />);
  await listIsRead();
  search('far');
  await waitFor(() => expect(titles()).toEqual(['Far away']));
});

it('removes a deleted chat from the search results', async () => {
  answer = (text) => (text ? [row(1, 'Found 1'), row(2, 'Found 2')] : []);
  show(<ArchivePanel onDeleted={() => {}} />);
  await listIsRead();
  search('found');
  await waitFor(() => expect(titles()).toEqual(['Found 2', 'Found 1']));
  await deleteArchive(userDb(userId), 'id-2');
  await waitFor(() => expect(titles()).toEqual(['Found 1']));
  await userDb(userId).outbox.clear(); // the server has it
  await waitFor(() => expect(titles()).toEqual(['Found 1']));
});

it('in the sidebar offers more only while recent chats remain', async () => {
  const now = Date.now();
  const recent = (count: number): Archive[] =>
    Array.from({ length: count }, (_, index) => ({
      id: `id-${index}`,
      archive_title: `Chat ${index}`,
      created_at: new Date(now - index).toISOString(),
    }));
  answer = () => recent(150);
  const { unmount } = show(<ArchiveSidebar current={undefined} onClose={() => {}} onDeleted={() => {}} />);
  await waitFor(() => expect(titles()).toHaveLength(100));
  fireEvent.click(await screen.findByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(titles()).toHaveLength(150));
  unmount();

  answer = () => [...recent(3), ...many(150)];
  show(<ArchiveSidebar current={undefined} onClose={() => {}} onDeleted={() => {}} />);
  await waitFor(() => expect(titles()).toHaveLength(3));
  await waitFor(() => expect(more()).toBeNull());
});
