import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionBar } from '#client/ui/feedback/connection-bar.tsx';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2025, 1, 21, 12) }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

describe('ConnectionBar', () => {
  const words = () => screen.getByRole('status').textContent;

  it('is empty while the connection is stable', () => {
    render(<ConnectionBar state="online" />);
    expect(words()).toBe('');
  });

  it('announces each change, stays while offline, and hides by itself', () => {
    const { rerender } = render(<ConnectionBar state="online" />);
    rerender(<ConnectionBar state="offline" />);
    const bar = () => screen.getByRole('status').firstElementChild as HTMLElement | null;
    expect(words()).toBe('You are offline. What is saved stays readable.');
    expect(bar()?.dataset.announced).toBe('false');
    pass(4_000);
    expect(bar()?.dataset.announced).toBe('true');
    rerender(<ConnectionBar state="online" />);
    expect(words()).toBe('Back online');
    pass(4_000);
    expect(bar()).toBeNull();
  });

  it('does not announce a connection as restored if it was not reported lost', () => {
    const { rerender } = render(<ConnectionBar state="online" />);
    rerender(<ConnectionBar state="offline" />);
    pass(1_000);
    rerender(<ConnectionBar state="online" />);
    expect(words()).toBe('');
  });
});
