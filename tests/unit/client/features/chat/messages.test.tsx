import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Message } from '../../../../../src/client/features/chat/conversation';
import { Messages } from '../../../../../src/client/features/chat/messages';
import { ARCHIVE, chatRow, unanswered } from '../../../../support/chat-rows';

const none = () => {};
let still = false;

const list = (messages: Message[], more: Partial<Parameters<typeof Messages>[0]> = {}) => (
  <Messages messages={messages} current onRead={none} onRetry={none} onDiscard={none} {...more} />
);
const later = (ms: number) => act(async () => vi.advanceTimersByTime(ms));
const announced = () => screen.getAllByRole('status').map((region) => region.textContent);

beforeEach(() => {
  still = false;
  vi.useFakeTimers();
  vi.stubGlobal('matchMedia', () => ({ matches: still }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('an answer', () => {
  const waiting = unanswered({ id: 'q' });
  const answered = chatRow({ id: 'q', ai_response: 'It is a **fine** day' });

  it('from before is simply there', () => {
    render(list([answered]));
    expect(screen.getByText('fine')).toBeTruthy();
    expect(screen.queryByText('Show all')).toBeNull();
    expect(announced()).toEqual(['']);
  });

  it('that comes while it is waited for is typed, a word each 100 ms', async () => {
    const read = vi.fn();
    const { rerender } = render(list([waiting]));
    rerender(list([answered], { onRead: read }));
    expect(screen.queryByText(/It/)).toBeNull();
    await later(200);
    expect(screen.getByText('It is').textContent).toBe('It is');
    await later(200);
    expect(screen.getByText('fine')).toBeTruthy();
    expect(screen.queryByText(/day/)).toBeNull();
    expect(read).not.toHaveBeenCalled();
    await later(100);
    expect(screen.getByText(/day/)).toBeTruthy();
    expect(screen.queryByText('Show all')).toBeNull();
    expect(read).toHaveBeenCalledOnce();
  });

  it('that came while nobody was looking is not typed', () => {
    const { rerender } = render(list([waiting], { current: false })); // as the device remembers it
    rerender(list([answered], { current: true }));
    expect(screen.getByText(/day/)).toBeTruthy();
    expect(screen.queryByText('Show all')).toBeNull();
  });

  it('can be had at once by a tap', async () => {
    const { rerender } = render(list([waiting]));
    rerender(list([answered]));
    await later(100);
    fireEvent.click(screen.getByRole('button', { name: 'Show all' }));
    expect(screen.getByText(/day/)).toBeTruthy();
  });

  it('is not typed for those who want no motion', () => {
    still = true;
    const { rerender } = render(list([waiting]));
    rerender(list([answered]));
    expect(screen.getByText(/day/)).toBeTruthy();
  });

  it('is announced when it begins and when it is there, never by its words', async () => {
    const { rerender, container } = render(list([waiting]));
    expect(announced()).toEqual(['Tidemark is answering']);
    rerender(list([answered]));
    await later(300);
    expect(announced()).toEqual(['']);
    await later(300);
    expect(announced()).toEqual(['Answer ready']);
    const live = container.querySelectorAll('[aria-live], [role="status"], [role="log"], [role="alert"]');
    for (const region of live) expect(region.textContent).not.toContain('day');
  });
});

describe('a question that was not sent', () => {
  const command = (state: 'waiting' | 'parked', reason?: string): Message => ({
    ...unanswered({ id: 'q' }),
    unsent: {
      id: 'q',
      lane: 'chat',
      createdAt: 0,
      attempts: 0,
      state,
      ...(reason && { reason }),
      body: {
        newArchive: false,
        message: { client_id: 'q', user_id: 'u', archive_id: ARCHIVE, message: 'Why?', chat_id: 0, chat_image: null },
      },
    },
  });

  it('shows that it waits, and no answer on its way', () => {
    render(list([command('waiting')]));
    expect(screen.getByText('Sending')).toBeTruthy();
    expect(screen.queryByText('The answer is on its way')).toBeNull();
  });

  it('has its answer typed, even one so quick that nobody saw it waited for', async () => {
    const { rerender } = render(list([command('waiting')], { current: false }));
    rerender(list([chatRow({ id: 'q', ai_response: 'Because it is so' })], { current: false }));
    expect(screen.getByRole('button', { name: 'Show all' })).toBeTruthy();
    expect(screen.queryByText(/so/)).toBeNull();
    await later(400);
    expect(screen.getByText('Because it is so')).toBeTruthy();
  });

  it('shows why it was refused, and offers both ways out', () => {
    const retry = vi.fn();
    const discard = vi.fn();
    render(list([command('parked', 'Too long')], { onRetry: retry, onDiscard: discard }));
    expect(screen.getByRole('alert').textContent).toContain('Too long');
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
    expect([retry.mock.calls, discard.mock.calls]).toEqual([[['q']], [['q']]]);
  });
});
