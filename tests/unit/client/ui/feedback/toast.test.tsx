import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { removeToast, toast, toasts } from '#client/platform/toast.ts';
import { useValue } from '#client/platform/use-value.ts';
import { Toasts } from '#client/ui/feedback/toast.tsx';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2025, 1, 21, 12) }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

const Host = () => <Toasts toasts={useValue(toasts)} onExpire={removeToast} />;

describe('toast', () => {
  it('shows each message for four seconds, the last three at most', () => {
    render(<Host />);
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
