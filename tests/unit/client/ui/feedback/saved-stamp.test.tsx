import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SavedStamp } from '#client/ui/feedback/saved-stamp.tsx';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2025, 1, 21, 12) }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

describe('SavedStamp', () => {
  const MINUTES = 60_000;
  const text = (savedAt: number | undefined, origin: 'device' | 'network', offline: boolean) =>
    render(<SavedStamp savedAt={savedAt} origin={origin} offline={offline} />).container.textContent;

  it('shows age, source and connection state', () => {
    const savedAt = Date.now() - 12 * MINUTES;
    expect(text(savedAt, 'device', false)).toBe('Saved 12 min ago');
    expect(text(savedAt, 'device', true)).toBe('Offline · saved 12 min ago');
    expect(text(savedAt, 'network', true)).toBe('Offline · saved 12 min ago');
    expect(text(Date.now(), 'network', false)).toBe('Updated just now');
    expect(text(undefined, 'device', true)).toBe('');
  });

  it('shows the age of data from the network from a minute on, and tells it to screen readers before', () => {
    render(<SavedStamp savedAt={Date.now()} origin="network" offline={false} />);
    expect(screen.getByText('Updated just now').className).toBe('sr-only');
    pass(2 * MINUTES);
    expect(screen.getByText('Updated 2 min ago').className).toBe('');
  });

  it('never calls data saved that is only in memory', () => {
    const { container, rerender } = render(<SavedStamp savedAt={Date.now()} origin="memory" offline />);
    expect(container.textContent).toBe('Offline · updated just now');
    rerender(<SavedStamp savedAt={Date.now()} origin="memory" offline={false} />);
    expect(container.textContent).toBe('Updated just now');
  });

  it('updates its age by itself', () => {
    render(<SavedStamp savedAt={Date.now()} origin="device" offline />);
    screen.getByText('Offline · saved just now');
    pass(2 * MINUTES);
    screen.getByText('Offline · saved 2 min ago');
  });
});
