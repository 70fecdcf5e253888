import type { Socket } from 'node:net';

/** Resolves when a connection is closed, also by a reset. `events.once` would reject then. */
export const untilClosed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });
