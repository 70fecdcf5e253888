import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { unlessSilent } from '#client/app/await-storage.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** What a root was told to draw, by the names of the components. */
function drawing() {
  const drawn: unknown[] = [];
  const render = (node: ReactNode) => void drawn.push((node as { type: { name: string } }).type.name);
  return { drawn, root: { render } };
}

it('says so when the storage is silent for long, and goes on when it answers after all', async () => {
  const { drawn, root } = drawing();
  let answer = () => {};
  const waited = unlessSilent(root, new Promise<void>((resolve) => (answer = resolve)));
  vi.advanceTimersByTime(9_000);
  expect(drawn).toEqual([]);
  vi.advanceTimersByTime(2_000);
  vi.useRealTimers();
  await vi.waitFor(() => expect(drawn).toEqual(['StorageSilent']));
  answer();
  expect(await waited).toBe(true);
});

it('says nothing when the storage answers, refuses, or is not asked', async () => {
  const { drawn, root } = drawing();
  expect(await unlessSilent(root, Promise.resolve(1))).toBe(false);
  expect(await unlessSilent(root, undefined)).toBe(false);
  await expect(unlessSilent(root, Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(drawn).toEqual([]);
});
