import type { DefaultEventsMap, Server, Socket } from 'socket.io';
import type { ClientToServer, ServerToClient } from '#contract/socket.ts';
import type { Identity } from '../http/authenticate.ts';

/** What is known of a connected socket: who it speaks for, and by which access token. */
export interface SocketData {
  identity: Identity;
  token: string;
}

export type RealtimeServer = Server<ClientToServer, ServerToClient, DefaultEventsMap, SocketData>;
export type RealtimeSocket = Socket<ClientToServer, ServerToClient, DefaultEventsMap, SocketData>;

/** All of a user's sockets, on whatever device. */
export const roomOf = (userId: string): string => `user:${userId}`;

/** The sockets of one signed-in device. */
export const sessionRoomOf = (sessionId: string): string => `session:${sessionId}`;
