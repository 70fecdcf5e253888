import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { awaitStorage, openUntilDenied } from '#client/app/await-storage.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
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

const internal = new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError');

it('opens storage again while the browser reports an internal error', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const open = vi.fn().mockRejectedValueOnce(internal).mockRejectedValueOnce(internal).mockResolvedValue('opened');
  const opened = openUntilDenied(open);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await opened).toBe('opened');
  expect(open).toHaveBeenCalledTimes(3);
});

it('does not open storage again that the browser denies', async () => {
  const denied = new DOMException('denied', 'SecurityError');
  await expect(openUntilDenied(() => Promise.reject(denied))).rejects.toBe(denied);
  vi.stubGlobal('localStorage', undefined);
  await expect(openUntilDenied(() => Promise.reject(internal))).rejects.toBe(internal);
});
