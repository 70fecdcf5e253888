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

const chatTitled = (archive_title: string) => ({ id: '1', archive_title, created_at: '2026-11-27T09:00:00.000Z' });
const menu = ({ archive_title }: { archive_title: string }) => <p>Menu of {archive_title}</p>;

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
  render(<ChatHeader archive={chatTitled(title)} onEditTitle={edit} menu={menu} />);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(shown);
  expect(screen.getByText(/^Menu of/).textContent).toBe(`Menu of ${title}`);
  fireEvent.click(screen.getByRole('button', { name: 'Edit title' }));
  expect(edit).toHaveBeenCalledOnce();
  expect(screen.getByRole('link', { name: 'Archive' }).getAttribute('href')).toBe('/archive');
});

it('names a new chat without a menu, and says nothing while it looks for the row', async () => {
  const { ChatHeader } = await visit('/chat');
  const heading = () => screen.getByRole('heading', { level: 1 }).textContent;
  const { rerender } = render(<ChatHeader archive={null} onEditTitle={() => {}} menu={menu} />);
  expect(heading()).toBe('New Chat');
  rerender(<ChatHeader archive={undefined} onEditTitle={() => {}} menu={menu} />);
  expect(heading()).toBe('');
  expect(screen.queryByText(/^Menu of/)).toBeNull();
});

it('goes back to home where the visit began in the chat', async () => {
  const { ChatHeader, history } = await visit('/chat');
  history.push('/chat/archive/1');
  render(<ChatHeader archive={chatTitled('One')} onEditTitle={() => {}} menu={menu} />);
  fireEvent.click(screen.getByRole('button', { name: 'Back' }));
  expect(location.pathname).toBe('/home');
  expect(window.history.go).not.toHaveBeenCalled();
});

it('goes back one step where it began elsewhere', async () => {
  const { ChatHeader, history } = await visit('/archive');
  history.push('/chat/archive/1');
  render(<ChatHeader archive={chatTitled('One')} onEditTitle={() => {}} menu={menu} />);
  fireEvent.click(screen.getByRole('button', { name: 'Back' }));
  expect(window.history.go).toHaveBeenCalledExactlyOnceWith(-1);
});
