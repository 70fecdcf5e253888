import type { DefaultEventsMap, Server, Socket } from 'socket.io';
import type { ClientToServer, ServerToClient } from '#contract/socket.ts';
import type { Identity } from '../http/authenticate.ts';

/** The identity of a connected socket, and its access token. */
export interface SocketData {
  identity: Identity;
  token: string;
}

export type RealtimeServer = Server<ClientToServer, ServerToClient, DefaultEventsMap, SocketData>;
export type RealtimeSocket = Socket<ClientToServer, ServerToClient, DefaultEventsMap, SocketData>;

/** Returns the room of all sockets of a user. */
export const roomOf = (userId: string): string => `user:${userId}`;

/** Returns the room of a session's sockets. */
export const sessionRoomOf = (sessionId: string): string => `session:${sessionId}`;
