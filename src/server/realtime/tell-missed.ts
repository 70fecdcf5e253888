import { SECOND } from '#domain/clock.ts';
import type { RealtimeSocket } from './server.ts';

/** Time between two sockets, ms: each one's page sends a few requests. */
const PER_SOCKET = 3;
const MIN_SPREAD = 500;
const MAX_SPREAD = 30 * SECOND;
/** Time until a socket is told again, ms. */
const MIN_INTERVAL = 5 * SECOND;

/** Returns a function that tells sockets to reload what they may have missed: each at a random time, so that not all ask at once. */
export function createMissed(): (sockets: readonly RealtimeSocket[]) => void {
  /** When each socket was or will be told, ms of `performance.now`. */
  const times = new WeakMap<RealtimeSocket, number>();

  return (sockets) => {
    const spread = Math.min(Math.max(sockets.length * PER_SOCKET, MIN_SPREAD), MAX_SPREAD);
    const now = performance.now();
    for (const socket of sockets) {
      const last = times.get(socket) ?? Number.NEGATIVE_INFINITY;
      if (last > now) continue;
      const at = Math.max(now, last + MIN_INTERVAL) + Math.random() * spread;
      times.set(socket, at);
      setTimeout(() => socket.connected && socket.emit('missed'), at - now).unref();
    }
  };
}
