import { expect, it, vi } from 'vitest';
import { runOnce } from '#domain/run-once.ts';

it('runs once, and again after a failure', async () => {
  const run = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('offline')).mockResolvedValue('code');
  const get = runOnce(run);
  await expect(Promise.all([get(), get()])).rejects.toThrow('offline');
  expect(run).toHaveBeenCalledTimes(1);
  expect(await Promise.all([get(), get()])).toEqual(['code', 'code']);
  expect(await get()).toBe('code');
  expect(run).toHaveBeenCalledTimes(2);
});

it('shows the kept promise without a run', async () => {
  const run = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('offline')).mockResolvedValue('code');
  const get = runOnce(run);
  expect(get.peek()).toBeUndefined();
  expect(run).not.toHaveBeenCalled();
  const failing = get();
  expect(get.peek()).toBe(failing);
  await expect(failing).rejects.toThrow('offline');
  expect(get.peek()).toBeUndefined();
  expect(get()).toBe(get.peek());
});

it('answers without a task of its own once the run has succeeded', async () => {
  const get = runOnce(async () => 'code');
  await get();
  const order: string[] = [];
  setTimeout(() => order.push('task'), 0);
  await get().then((code) => order.push(code));
  expect(order).toEqual(['code']);
});
