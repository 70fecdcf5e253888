import { expect, it, vi } from 'vitest';
import { loadOnce } from '#client/platform/load-once.ts';

it('loads once, and again after a failure', async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('offline')).mockResolvedValue('code');
  const get = loadOnce(load);
  await expect(get()).rejects.toThrow('offline');
  expect(await Promise.all([get(), get()])).toEqual(['code', 'code']);
  expect(load).toHaveBeenCalledTimes(2);
});

it('answers without a task of its own once the code is loaded', async () => {
  const get = loadOnce(async () => 'code');
  await get();
  const order: string[] = [];
  setTimeout(() => order.push('task'), 0);
  await get().then((code) => order.push(code));
  expect(order).toEqual(['code']);
});
