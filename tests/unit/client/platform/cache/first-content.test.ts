import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { awaitContent, contentShown } from '#client/platform/cache/first-content.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Whether a promise is resolved. */
async function isDone(promise: Promise<void>) {
  let done = false;
  void promise.then(() => {
    done = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return done;
}

test('a screen that waits for nothing is complete', async () => {
  expect(await isDone(contentShown(1000))).toBe(true);
});

test('a screen is complete when its last part has content', async () => {
  const first = awaitContent();
  const second = awaitContent();
  const shown = contentShown(1000);
  first();
  expect(await isDone(shown)).toBe(false);
  second();
  expect(await isDone(shown)).toBe(true);
});

test('a part that is replaced by another loading part does not complete the screen', async () => {
  const profile = awaitContent();
  const shown = contentShown(1000);
  profile();
  const page = awaitContent();
  expect(await isDone(shown)).toBe(false);
  page();
  expect(await isDone(shown)).toBe(true);
});

test('missing content is not waited for beyond the time limit', async () => {
  const never = awaitContent();
  const shown = contentShown(1000);
  await vi.advanceTimersByTimeAsync(999);
  expect(await isDone(shown)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await isDone(shown)).toBe(true);
  never();
});
