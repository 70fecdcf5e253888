import { setTimeout as pause } from 'node:timers/promises';
import type { RealtimeSocket } from './server.ts';

export type Connection = RealtimeSocket['conn'];

/** Time for a client to answer the close of its WebSocket, ms. Otherwise the connection would stay open for 30 seconds. */
const CLOSE_TIMEOUT = 250;

/** Closes a connection at once and drops its write queue. */
export function cutConnection(connection: Connection): void {
  connection.close(true);
  connection.request.socket.destroy();
}

/** Cuts a connection unless the client closes it soon. */
export const cutSoon = (connection: Connection): void => void setTimeout(() => cutConnection(connection), CLOSE_TIMEOUT).unref();

/** Disconnects sockets, each at a random moment within `span` ms, so that their clients do not reconnect all at once. */
export async function endSpread(sockets: readonly RealtimeSocket[], span: number): Promise<void> {
  await Promise.all(
    sockets.map(async (socket) => {
      await pause(Math.random() * span);
      endSocket(socket);
    }),
  );
}

/** Disconnects a socket, even when its client does not read. */
export function endSocket(socket: RealtimeSocket): void {
  const { conn } = socket;
  socket.disconnect(true);
  cutSoon(conn);
}
