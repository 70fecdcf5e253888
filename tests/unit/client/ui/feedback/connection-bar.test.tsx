import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionBar } from '#client/ui/feedback/connection-bar.tsx';
import { PageHeader } from '#client/ui/layout/page-header.tsx';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2025, 1, 21, 12) }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

const bar = (state: 'online' | 'offline') => (
  <ConnectionBar state={state}>
    <PageHeader title="Crypto" onBack={() => undefined} action={<button type="button">Bell</button>} />
  </ConnectionBar>
);

describe('ConnectionBar', () => {
  const words = () => screen.getByRole('status').textContent;
  const line = () => screen.getByRole('status').firstElementChild;
  /** What covers the title. */
  const shown = () => screen.getByRole('heading', { name: 'Crypto' }).parentElement?.querySelector('p')?.textContent;

  it('is empty while the connection is stable', () => {
    render(bar('online'));
    expect([words(), shown()]).toEqual(['', undefined]);
  });

  it('announces each change over the title, keeps its line while offline, and hides by itself', () => {
    const { rerender } = render(bar('online'));
    rerender(bar('offline'));
    const offline = 'You are offline. What is saved stays readable.';
    expect([words(), shown()]).toEqual([offline, offline]);
    pass(4_000);
    expect([words(), shown(), line() !== null]).toEqual([offline, undefined, true]);
    rerender(bar('online'));
    expect([words(), shown()]).toEqual(['Back online', 'Back online']);
    pass(4_000);
    expect([line(), shown()]).toEqual([null, undefined]);
  });

  it('does not announce a connection as restored if it was not reported lost', () => {
    const { rerender } = render(bar('online'));
    rerender(bar('offline'));
    pass(1_000);
    rerender(bar('online'));
    expect([words(), shown()]).toEqual(['', undefined]);
  });
});
