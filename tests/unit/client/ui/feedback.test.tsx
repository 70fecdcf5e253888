import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionBar } from '#client/ui/feedback/connection-bar.tsx';
import { SavedStamp } from '#client/ui/feedback/saved-stamp.tsx';
import { Toasts, toast } from '#client/ui/feedback/toast.tsx';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2025, 1, 21, 12) }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

describe('SavedStamp', () => {
  const MINUTES = 60_000;
  const text = (savedAt: number | undefined, origin: 'device' | 'network', offline: boolean) =>
    render(<SavedStamp savedAt={savedAt} origin={origin} offline={offline} />).container.textContent;

  it('says how old, from where, and whether there is a connection', () => {
    const savedAt = Date.now() - 12 * MINUTES;
    expect(text(savedAt, 'device', false)).toBe('Saved 12 min ago');
    expect(text(savedAt, 'device', true)).toBe('Offline · saved 12 min ago');
    expect(text(savedAt, 'network', true)).toBe('Offline · saved 12 min ago');
    expect(text(Date.now(), 'network', false)).toBe('Updated just now');
    expect(text(undefined, 'device', true)).toBe('');
  });

  it('grows older by itself', () => {
    render(<SavedStamp savedAt={Date.now()} origin="device" offline />);
    screen.getByText('Offline · saved just now');
    pass(2 * MINUTES);
    screen.getByText('Offline · saved 2 min ago');
  });
});

describe('ConnectionBar', () => {
  const words = () => screen.getByRole('status').textContent;

  it('says nothing while there is nothing to say', () => {
    render(<ConnectionBar state="online" />);
    expect(words()).toBe('');
  });

  it('tells each change, keeps a line while offline, and leaves by itself', () => {
    const { rerender } = render(<ConnectionBar state="online" />);
    rerender(<ConnectionBar state="offline" />);
    const bar = () => screen.getByRole('status').firstElementChild as HTMLElement | null;
    expect(words()).toBe('You are offline. What is saved stays readable.');
    expect(bar()?.dataset.told).toBe('false');
    pass(4_000);
    expect(bar()?.dataset.told).toBe('true');
    rerender(<ConnectionBar state="online" />);
    expect(words()).toBe('Back online');
    pass(4_000);
    expect(bar()).toBeNull();
  });

  it('does not celebrate a connection that was never told lost', () => {
    const { rerender } = render(<ConnectionBar state="online" />);
    rerender(<ConnectionBar state="offline" />);
    pass(1_000);
    rerender(<ConnectionBar state="online" />);
    expect(words()).toBe('');
  });
});

describe('toast', () => {
  it('shows each message for four seconds, the last three at most', () => {
    render(<Toasts />);
    const messages = () => [...screen.getByRole('status').children].map((line) => line.textContent);
    act(() => toast('one'));
    expect(messages()).toEqual(['one']);
    pass(3_000);
    for (const message of ['two', 'three', 'four']) act(() => toast(message));
    expect(messages()).toEqual(['two', 'three', 'four']);
    pass(3_999);
    expect(messages()).toEqual(['two', 'three', 'four']);
    pass(1);
    expect(messages()).toEqual([]);
  });
});
