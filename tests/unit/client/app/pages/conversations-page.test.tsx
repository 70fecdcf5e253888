import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import ConversationsPage, { ahead } from '#client/app/pages/conversations-page.tsx';
import { dropResults, readAhead } from '#client/platform/cache/read-ahead.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { serializeScreen } from '#client/platform/first-screen/serialize-screen.ts';
import { reportReachable, reportUnreachable } from '#client/platform/live/reachability.ts';
import { history } from '#client/platform/router/history.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { ARCHIVE, chatRow } from '#tests/support/chat/chat-rows.ts';

const USER = 'conversations';
const width = vi.hoisted(() => {
  const query = { matches: false, addEventListener() {}, removeEventListener() {} };
  vi.stubGlobal('matchMedia', () => query);
  return query;
});

beforeEach(async () => {
  width.matches = false;
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  await signIn(makeTokens({ sub: USER }), true);
  const db = userDb(USER);
  await db.archives.put({ id: ARCHIVE, archive_title: 'My first chat', created_at: '2026-01-01T00:00:00.000Z' });
  await db.messages.put(chatRow({ id: 'm', position: 1 }));
});

afterEach(async () => {
  cleanup();
  dropResults();
  act(() => reportReachable());
  await endSession();
  history.replace('/');
  document.getElementById('first-screen')?.remove();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Opens an address as the first page of a visit. Returns what its first render shows. */
async function firstRender(pathname: string, archiveId?: string) {
  history.replace(pathname);
  await readAhead(USER, ahead({ pathname }, USER));
  const { container } = render(<ConversationsPage {...(archiveId && { archiveId })} />);
  expect(container.querySelector('[data-skeleton]')).toBeNull();
}

it('has the stored list in its first render', async () => {
  await firstRender('/archive');
  expect(screen.getByText('My first chat')).toBeTruthy();
});

it('has the stored messages and the title in its first render', async () => {
  await firstRender(`/chat/archive/${ARCHIVE}`, ARCHIVE);
  expect(screen.getByText('Question m')).toBeTruthy();
  expect(screen.getAllByText('My first chat')).toHaveLength(1);
});

it('has both in its first render on a wide screen', async () => {
  width.matches = true;
  await firstRender(`/chat/archive/${ARCHIVE}`, ARCHIVE);
  expect(screen.getByText('Question m')).toBeTruthy();
  expect(screen.getAllByText('My first chat')).toHaveLength(2);
});

it('has as many messages in its first render as the stored screen, whatever lists are in answers and beside them', async () => {
  width.matches = true;
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: 'navigate' } as never]);
  const db = userDb(USER);
  const chats = ['one', 'two', 'three', 'four'].map((id) => ({ id, archive_title: id, created_at: '2026-01-02T00:00:00.000Z' }));
  await db.archives.bulkPut(chats);
  const write = (count: number) =>
    db.messages.bulkPut(
      Array.from({ length: count }, (_, at) => chatRow({ id: `m${at}`, position: 99 - at, ai_response: '- 1\n- 2\n- 3' })),
    );

  await write(4);
  await firstRender(`/chat/archive/${ARCHIVE}`, ARCHIVE);
  await vi.waitFor(() => expect(screen.getAllByText(/^Question/)).toHaveLength(5));
  const drawn = serializeScreen(document.body.firstElementChild as Element, () => false);
  cleanup();
  dropResults();
  document.body.innerHTML = `<div id="first-screen">${drawn}</div>`;
  expect(document.querySelectorAll('li').length).toBeGreaterThan(20);

  await write(40);
  await firstRender(`/chat/archive/${ARCHIVE}`, ARCHIVE);
  expect(document.querySelectorAll('#first-screen ~ * li[data-id]')).toHaveLength(5);
});

it('has the device prepare for a question in an open chat, once the server is unreachable', async () => {
  const read = vi.spyOn(userDb(USER).coins, 'toArray');
  await firstRender(`/chat/archive/${ARCHIVE}`, ARCHIVE);
  act(() => reportUnreachable());
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(1));
});
