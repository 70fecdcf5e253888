import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { Lexer } from 'marked';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import HomePage from '#client/app/pages/home-page.tsx';
import { readNextPages } from '#client/app/read-next-pages.ts';
import { routes } from '#client/app/routes.tsx';
import { dropResults, resultAhead } from '#client/platform/cache/read-ahead.ts';
import { deviceDb } from '#client/platform/db/device-db.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { profileOf } from '#tests/support/accounts/profile.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { chatRow } from '#tests/support/chat/chat-rows.ts';

const USER = 'next-pages';

/** What Home would show of the bots in its first render. */
const gainAhead = () => resultAhead<{ gain?: number } | undefined>(USER, 'bots/running');
const press = (href: string) => {
  document.body.insertAdjacentHTML('beforeend', `<a href="${href}">Link</a>`);
  document.body.lastElementChild?.dispatchEvent(new Event('pointerdown', { bubbles: true }));
};

afterAll(readNextPages());

beforeEach(async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  await signIn(makeTokens({ sub: USER }), true);
  await userDb(USER).profile.put(profileOf({ id: USER, first_name: 'Ada', last_name: 'Reader' }));
  await Promise.all(
    routes.filter(({ paths }) => paths.includes('/home') || paths.includes('/chat/archive/:archiveId')).map(({ load }) => load()),
  );
});

afterEach(async () => {
  cleanup();
  document.body.replaceChildren();
  dropResults();
  await endSession();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('reads a page when its link is pressed, so that its first render is complete', async () => {
  dropResults();
  press('/home');
  await waitFor(() => expect(gainAhead()).toBeDefined());
  render(<HomePage />);
  expect(screen.getByRole('heading', { name: 'Ada Reader' })).toBeTruthy();
});

it('reads the tabs while the page is idle, and again after the device has changed', async () => {
  await waitFor(() => expect(gainAhead()).toBeDefined());
  await userDb(USER).drafts.put({ key: 'new', text: 'Hello', imageId: null, editing: null });
  expect(gainAhead()).toBeUndefined();
  await waitFor(() => expect(gainAhead()).toBeDefined());
});

it('reads the first two chats of a list while the page is idle, and parses their answers', async () => {
  const parse = vi.spyOn(Lexer, 'lex');
  await userDb(USER).messages.bulkPut(['first', 'third'].map((id) => chatRow({ id, archive_id: id, ai_response: `The **${id}** answer` })));
  const links = ['first', 'second', 'third'].map((id) => `<a href="/chat/archive/${id}">Chat</a>`);
  document.body.insertAdjacentHTML('beforeend', `<main>${links.join('')}</main>`);
  document.dispatchEvent(new Event('visibilitychange')); // what was read before these links is outdated
  const read = (id: string) => resultAhead(USER, `archive/${id}`);
  await waitFor(() => expect(read('second')).toBeDefined());
  expect(read('first')).toBeDefined();
  await waitFor(() => expect(gainAhead()).toBeDefined());
  expect(read('third')).toBeUndefined();
  expect(parse.mock.calls).toEqual([['The **first** answer']]);
});

it('keeps what it has read when the device stores a screen', async () => {
  await waitFor(() => expect(gainAhead()).toBeDefined());
  const look = { build: 'main.js', theme: 'dark', width: 'narrow', zone: '0' };
  await deviceDb.screens.put({ address: '/home', sessionId: 'session', ...look, html: '<p>Home</p>', savedAt: 0 });
  expect(gainAhead()).toBeDefined();
});
