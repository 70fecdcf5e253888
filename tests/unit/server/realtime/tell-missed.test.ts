import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RealtimeSocket } from '#server/realtime/server.ts';
import { createMissed } from '#server/realtime/tell-missed.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Draws 0, 1 / count, 2 / count and so on. */
function drawEvenly(count: number): void {
  let drawn = 0;
  vi.spyOn(Math, 'random').mockImplementation(() => drawn++ / count);
}

/** Returns sockets that record what comes to them. */
function createSockets(count: number) {
  const told: number[] = [];
  const sockets = Array.from({ length: count }, (_, place) => ({ connected: true, emit: () => told.push(place) }));
  return { sockets: sockets as unknown as RealtimeSocket[], told };
}

test('thousands of sockets that may have missed something are told over a time that grows with their number', async () => {
  const { sockets, told } = createSockets(2_000);
  drawEvenly(sockets.length);
  createMissed()(sockets);
  const toldAfter = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    return told.length;
  };
  expect(await toldAfter(1_500)).toBeCloseTo(500, -1);
  expect(await toldAfter(1_500)).toBeCloseTo(1_000, -1);
  expect(await toldAfter(3_000)).toBe(2_000);
});

test('a socket that was just told is told again later, once', async () => {
  const { sockets, told } = createSockets(1);
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const tell = createMissed();
  tell(sockets);
  await vi.advanceTimersByTimeAsync(0);
  for (let times = 0; times < 3; times++) tell(sockets);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(told).toEqual([0]);
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual([0, 0]);
});
