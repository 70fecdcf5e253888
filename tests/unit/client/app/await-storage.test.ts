import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { awaitStorage } from '#client/app/await-storage.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The component names that a root has rendered. */
function drawing() {
  const drawn: unknown[] = [];
  const render = (node: ReactNode) => void drawn.push((node as { type: { name: string } }).type.name);
  return { drawn, root: { render } };
}

it('shows an error when storage does not respond, and continues when it does', async () => {
  const { drawn, root } = drawing();
  let answer = () => {};
  const waited = awaitStorage(root, new Promise<void>((resolve) => (answer = resolve)));
  vi.advanceTimersByTime(9_000);
  expect(drawn).toEqual([]);
  vi.advanceTimersByTime(2_000);
  vi.useRealTimers();
  await vi.waitFor(() => expect(drawn).toEqual(['StorageUnresponsive']));
  answer();
  expect(await waited).toBe(true);
});

it('shows no error when storage responds, fails, or is not used', async () => {
  const { drawn, root } = drawing();
  expect(await awaitStorage(root, Promise.resolve(1))).toBe(false);
  expect(await awaitStorage(root, undefined)).toBe(false);
  await expect(awaitStorage(root, Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(drawn).toEqual([]);
});
