import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** Starts a visit at `path`. The app reads the first path once, at startup. */
async function visit(path: string) {
  window.history.replaceState(null, '', path);
  vi.resetModules();
  const { ChatHeader } = await import('#client/features/chat/chat-header.tsx');
  const { history } = await import('#client/platform/router/history.ts');
  return { ChatHeader, history };
}

beforeEach(() => vi.spyOn(window.history, 'go').mockImplementation(() => {}));
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it.each([
  ['', 'New Chat'],
  ['Sixteen letters!', 'Sixteen letters!'],
  ['Seventeen letters', 'Seventeen letter..'],
])('calls a chat titled "%s" %s, beside a pencil and the archive', async (title, shown) => {
  const { ChatHeader } = await visit('/chat');
  const edit = vi.fn();
  render(<ChatHeader title={title} onEditTitle={edit} />);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(shown);
  fireEvent.click(screen.getByRole('button', { name: 'Edit title' }));
  expect(edit).toHaveBeenCalledOnce();
  expect(screen.getByRole('link', { name: 'Archive' }).getAttribute('href')).toBe('/archive');
});

it('goes back to home where the visit began in the chat', async () => {
  const { ChatHeader, history } = await visit('/chat');
  history.push('/chat/archive/1');
  render(<ChatHeader title="One" onEditTitle={() => {}} />);
  fireEvent.click(screen.getByRole('button', { name: 'Back' }));
  expect(location.pathname).toBe('/home');
  expect(window.history.go).not.toHaveBeenCalled();
});

it('goes back one step where it began elsewhere', async () => {
  const { ChatHeader, history } = await visit('/archive');
  history.push('/chat/archive/1');
  render(<ChatHeader title="One" onEditTitle={() => {}} />);
  fireEvent.click(screen.getByRole('button', { name: 'Back' }));
  expect(window.history.go).toHaveBeenCalledExactlyOnceWith(-1);
});
