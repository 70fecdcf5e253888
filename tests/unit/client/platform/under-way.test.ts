import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { counted, untilQuiet } from '../../../../src/client/platform/api/under-way';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A request whose end the test decides. */
function request() {
  let resolve = () => {};
  let reject = (_: Error) => {};
  const promise = new Promise<void>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  return { promise, resolve, reject };
}

/** Whether a promise has resolved by now. */
async function isDone(promise: Promise<void>) {
  let done = false;
  void promise.then(() => (done = true));
  await vi.advanceTimersByTimeAsync(0);
  return done;
}

test('it is quiet while nothing is asked', async () => {
  expect(await isDone(untilQuiet(1000))).toBe(true);
});

test('it is quiet again when the last of several requests has ended, well or badly', async () => {
  const first = request();
  const second = request();
  const answer = counted(first.promise);
  const failure = counted(second.promise).catch((error: Error) => error.message);
  const quiet = untilQuiet(1000);
  first.resolve();
  await answer;
  expect(await isDone(quiet)).toBe(false);
  second.reject(new Error('lost'));
  expect(await failure).toBe('lost');
  expect(await isDone(quiet)).toBe(true);
});

test('a request that hangs is not waited for longer than the limit', async () => {
  const hanging = request();
  void counted(hanging.promise);
  const quiet = untilQuiet(1000);
  await vi.advanceTimersByTimeAsync(999);
  expect(await isDone(quiet)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await isDone(quiet)).toBe(true);
  hanging.resolve();
});
