import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useDebounced } from '#client/ui/hooks/use-debounced.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('returns a search text after 300 ms without a change, and an empty one at once', () => {
  const { result, rerender } = renderHook(({ text }) => useDebounced(text), { initialProps: { text: '' } });
  const later = (ms: number) => act(() => vi.advanceTimersByTime(ms));
  rerender({ text: 'bi' });
  later(299);
  rerender({ text: 'bit' });
  later(299);
  expect(result.current).toBe('');
  later(1);
  expect(result.current).toBe('bit');
  rerender({ text: '' });
  expect(result.current).toBe('');
});
