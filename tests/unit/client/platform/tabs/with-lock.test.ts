import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withLock } from '#client/platform/tabs/with-lock.ts';
import { FakeLocks } from '#tests/support/client/web-locks.ts';

let locks: FakeLocks;

/** Work that ends when the test says so. */
function openWork(result = 'done') {
  let end = () => {};
  const ended = new Promise<string>((resolve) => {
    end = () => resolve(result);
  });
  return { work: vi.fn(() => ended), end: () => end() };
}

describe('withLock', () => {
  beforeEach(() => {
    locks = new FakeLocks();
    vi.stubGlobal('navigator', { locks });
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('runs one piece of work after another and settles as each does', async () => {
    const first = openWork('first');
    const one = withLock('name', first.work);
    const other = withLock('name', async () => {
      throw new Error('the second fails');
    });
    const failed = expect(other).rejects.toThrow('the second fails');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(first.work).toHaveBeenCalledTimes(1);
    first.end();
    expect(await one).toBe('first');
    await failed;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits as long as the lock has a holder', async () => {
    void locks.request('name', () => new Promise(() => {}));
    const { work } = openWork();
    void withLock('name', work);
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(work).not.toHaveBeenCalled();
  });

  it('takes a lock that no one holds and no one gets, one request after another', async () => {
    void locks.request('name', () => new Promise(() => {}));
    const first = openWork('first');
    const second = openWork('second');
    const one = withLock('name', first.work);
    const other = withLock('name', second.work);
    locks.forgetHolders('name');
    await vi.advanceTimersByTimeAsync(4_000);
    expect(first.work).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20_000);
    first.end();
    second.end();
    expect(await Promise.all([one, other])).toEqual(['first', 'second']);
    expect(first.work).toHaveBeenCalledTimes(1);
    expect(second.work).toHaveBeenCalledTimes(1);
    expect(await withLock('name', async () => 'later')).toBe('later');
  });

  it('stops looking when its request fails', async () => {
    vi.spyOn(locks, 'request').mockRejectedValue(new Error('the page is gone'));
    await expect(withLock('name', async () => 'never')).rejects.toThrow('the page is gone');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gives its own result although its lock was taken', async () => {
    const { work, end } = openWork('mine');
    const mine = withLock('name', work);
    await locks.request('name', { steal: true }, async () => 'theirs');
    end();
    expect(await mine).toBe('mine');
  });
});
