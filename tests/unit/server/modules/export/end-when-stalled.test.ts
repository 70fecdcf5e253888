import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endWhenStalled } from '#server/modules/export/end-when-stalled.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function watched(): PassThrough {
  const stream = new PassThrough();
  stream.on('error', () => undefined);
  endWhenStalled(stream, { stalled: 1000, longest: 10_000 });
  return stream;
}

test('disconnects a reader that stops reading', () => {
  const stream = watched();
  stream.write('waiting');
  vi.advanceTimersByTime(999);
  expect(stream.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(stream.destroyed).toBe(true);
});

test('does not disconnect while the server has nothing to send', () => {
  const stream = watched();
  vi.advanceTimersByTime(9999);
  expect(stream.destroyed).toBe(false);
});

test('disconnects a steady reader at the time limit', () => {
  const stream = watched();
  stream.pipe(new PassThrough()).resume();
  for (let second = 0; second < 9; second++) {
    stream.write('more');
    vi.advanceTimersByTime(1000);
  }
  expect(stream.destroyed).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(stream.destroyed).toBe(true);
});
