import { afterEach, expect, test, vi } from 'vitest';
import { endSpread } from '#server/realtime/end-socket.ts';
import type { RealtimeSocket } from '#server/realtime/server.ts';

afterEach(() => vi.restoreAllMocks());

test('sockets of a process that ends are closed at random moments, so that their pages do not return together', async () => {
  const closed: number[] = [];
  const conn = { close: () => undefined, request: { socket: { destroy: () => undefined } } };
  const sockets = [0, 1, 2].map((place) => ({ conn, disconnect: () => closed.push(place) })) as unknown as RealtimeSocket[];
  const moments = [0.9, 0, 0.5];
  vi.spyOn(Math, 'random').mockImplementation(() => moments.shift() ?? 0);
  await endSpread(sockets, 200);
  expect(closed).toEqual([1, 2, 0]);
});
