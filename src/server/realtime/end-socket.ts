import type { RealtimeSocket } from './server.ts';

export type Connection = RealtimeSocket['conn'];

/** How long a client has to answer the close of its WebSocket, ms. Without an end it would keep the connection for half a minute. */
const GOODBYE = 250;

/** Closes the connection of a client that breaks the rules: at once, and whatever waits to be written is dropped. */
export function cutConnection(connection: Connection): void {
  connection.close(true);
  connection.request.socket.destroy();
}

/** Cuts a connection unless its client closes it soon. */
export const cutSoon = (connection: Connection): void => void setTimeout(() => cutConnection(connection), GOODBYE).unref();

/** Disconnects a socket, also one whose client does not read. */
export function endSocket(socket: RealtimeSocket): void {
  const { conn } = socket;
  socket.disconnect(true);
  cutSoon(conn);
}
