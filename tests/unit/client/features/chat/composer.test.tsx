import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { Composer } from '../../../../../src/client/features/chat/composer';

const box = () => screen.getByRole<HTMLTextAreaElement>('textbox');
const type = (text: string) => fireEvent.change(box(), { target: { value: text } });
const enter = (more: object = {}) => fireEvent.keyDown(box(), { key: 'Enter', ...more });
/** Lets whatever a key press has begun come to its end. */
const settle = () => act(async () => {});

let chat = 0;
function compose(onAsk = vi.fn(async (_text: string) => {})) {
  chat += 1;
  const key = `chat-${chat}`;
  return { onAsk, key, ...render(<Composer draftKey={key} onAsk={onAsk} />) };
}

it('sends with Enter, trimmed, and is empty again', async () => {
  const { onAsk } = compose();
  type('  Why?  ');
  enter();
  await waitFor(() => expect(onAsk).toHaveBeenCalledWith('Why?'));
  await waitFor(() => expect(box().value).toBe(''));
});

it.each([
  ['Shift+Enter', { shiftKey: true }],
  ['Enter that ends a composition', { isComposing: true }],
  ['Enter with key code 229', { keyCode: 229 }],
])('does not send with %s', async (_what, more) => {
  const { onAsk } = compose();
  type('Why?');
  enter(more);
  await settle();
  expect(onAsk).not.toHaveBeenCalled();
});

it.each(['', '   \n '])('asks for a question when there is none (%j)', async (text) => {
  const { onAsk } = compose();
  type(text);
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Enter chat description!');
  expect(box().getAttribute('aria-invalid')).toBe('true');
  expect(onAsk).not.toHaveBeenCalled();
});

it('keeps the text when it could not be stored', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  compose(vi.fn(() => Promise.reject(new Error('quota'))));
  type('Why?');
  enter();
  expect((await screen.findByRole('alert')).textContent).toContain('could not be stored');
  expect(box().value).toBe('Why?');
  vi.restoreAllMocks();
});

it('keeps a draft for each conversation', async () => {
  const { key, rerender, onAsk, unmount } = compose();
  type('Half a thought');
  rerender(<Composer draftKey={`${key}-other`} onAsk={onAsk} />);
  await waitFor(() => expect(box().value).toBe(''));
  rerender(<Composer draftKey={key} onAsk={onAsk} />);
  await waitFor(() => expect(box().value).toBe('Half a thought'));
  unmount();
  render(<Composer draftKey={key} onAsk={onAsk} />);
  expect(box().value).toBe('Half a thought');
});
