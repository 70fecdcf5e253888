import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ArchivePanel } from '../../../../../src/client/features/archive/archive-panel';
import { RecentChats } from '../../../../../src/client/features/archive/recent-chats';
import { userDb } from '../../../../../src/client/platform/db/user-db';
import { endSession, signIn } from '../../../../../src/client/platform/session/session';
import type { Archive } from '../../../../../src/contract/archive';
import { makeTokens } from '../../../../support/tokens';

let user = 0;
let userId: string;
/** The server's answer to a search text, or why there is none. */
let answer: (search: string) => Archive[];
const asked: string[] = [];

const row = (number: number, title = `Chat ${number}`): Archive => ({
  id: `id-${number}`,
  archive_title: title,
  created_at: `2026-01-${String(number).padStart(2, '0')}T00:00:00.000Z`,
});
const offline = () => {
  throw new TypeError('offline');
};
const show = (page: React.ReactNode) =>
  render(<SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>{page}</SWRConfig>);
const titles = () =>
  screen.getAllByRole('link').flatMap((link) => (link.getAttribute('href')?.includes('id-') ? [link.firstChild?.textContent] : []));
const search = (text: string) => fireEvent.change(screen.getByPlaceholderText('Search chat...'), { target: { value: text } });

beforeEach(async () => {
  user += 1;
  userId = `panel-${user}`;
  asked.length = 0;
  answer = () => [];
  vi.stubGlobal('fetch', async (url: string) => {
    const text = decodeURIComponent(url.split('/archives/')[1] ?? '');
    asked.push(text);
    return Response.json({ status: 200, data: answer(text) });
  });
  await signIn(makeTokens({ sub: userId }), true);
});

afterEach(async () => {
  cleanup();
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

it('asks the server once typing has stopped, with the text encoded', async () => {
  answer = (text) => (text ? [row(7, 'Found there')] : [row(1)]);
  show(<ArchivePanel onDeleted={() => {}} />);
  await waitFor(() => expect(titles()).toEqual(['Chat 1']));
  for (const text of ['1', '10', '100', '100% / why?']) search(text);
  await waitFor(() => expect(titles()).toEqual(['Found there']));
  expect(asked.filter(Boolean)).toEqual(['100% / why?']);
});

it('searches the device where the server cannot be asked, and says so', async () => {
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

it('has the outlines of six until they are known', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  show(<RecentChats />);
  expect((await screen.findByRole('status')).textContent).toBe('Loading');
  expect(screen.getByRole('status').querySelectorAll('div')).toHaveLength(6);
  expect(screen.queryByText('No recent chats here!')).toBeNull();
});

it('has words for none', async () => {
  show(<RecentChats />);
  expect(await screen.findByText('No recent chats here!')).toBeTruthy();
});
