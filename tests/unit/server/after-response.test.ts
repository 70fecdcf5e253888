import { expect, onTestFinished, test, vi } from 'vitest';
import { createAfterResponse } from '#server/after-response.ts';

test('work starts after the current task, and settled() waits for it', async () => {
  const story: string[] = [];
  const afterResponse = createAfterResponse(() => undefined);
  afterResponse.run(async () => story.push('work'));
  await Promise.resolve().then(() => story.push('answer'));
  await afterResponse.settled();
  expect(story).toEqual(['answer', 'work']);
});

test('a failure is reported and does not stop other work', async () => {
  const reported: unknown[] = [];
  const afterResponse = createAfterResponse((error) => reported.push(error));
  let done = false;
  afterResponse.run(() => Promise.reject(new Error('no mail server')));
  afterResponse.run(async () => {
    throw new Error('thrown');
  });
  afterResponse.run(async () => {
    done = true;
  });
  await afterResponse.settled();
  expect(reported).toEqual([new Error('no mail server'), new Error('thrown')]);
  expect(done).toBe(true);
});

test('close() waits three seconds for work, and reports what it leaves', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const reported: unknown[] = [];
  const afterResponse = createAfterResponse((error) => reported.push(error));
  let end = (): void => undefined;
  afterResponse.run(
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
  );
  afterResponse.run(() => new Promise(() => undefined));
  let isClosed = false;
  const closed = afterResponse.close().then(() => {
    isClosed = true;
  });
  await vi.advanceTimersByTimeAsync(2999);
  end();
  await new Promise((resolve) => setImmediate(resolve));
  expect([isClosed, reported]).toEqual([false, []]);
  await vi.advanceTimersByTimeAsync(1);
  await closed;
  expect(reported).toEqual([new Error('the process ends before work after responses does, such as mail: 1 unfinished')]);
});

test('close() waits no longer than the work takes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const reported: unknown[] = [];
  const afterResponse = createAfterResponse((error) => reported.push(error));
  let isDone = false;
  afterResponse.run(async () => {
    isDone = true;
  });
  await afterResponse.close();
  expect([isDone, reported]).toEqual([true, []]);
});
