import { randomUUID } from 'node:crypto';
import { io, type Socket } from 'socket.io-client';
import type { ChatMessage } from '#contract/chat/chat.ts';
import { SOCKET_PATH } from '#contract/paths.ts';
import type { ChatAck, ClientToServer, ServerToClient } from '#contract/socket.ts';

export type TestSocket = Socket<ServerToClient, ClientToServer>;

const LIMIT_MS = 25_000;

/** Opens a socket without waiting for the connection. Sends no token when `token` is undefined. */
export function openSocket(url: string, token: string | undefined, headers: Record<string, string> = {}): TestSocket {
  return io(url, {
    path: SOCKET_PATH,
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    query: token === undefined ? {} : { token },
    extraHeaders: headers,
  });
}

/** Connects a socket. Rejects with the server's refusal, or when the connection is lost first. */
export async function connect(url: string, token: string | undefined, headers?: Record<string, string>): Promise<TestSocket> {
  const socket = openSocket(url, token, headers);
  await new Promise<void>((resolve, reject) => {
    const lost = (reason: string) => reject(new Error(`disconnected while connecting: ${reason}`));
    socket.once('connect', resolve).once('connect_error', reject).once('disconnect', lost);
  });
  return socket;
}

/** Waits for the next event of this name that `fits`, and returns its first argument. */
export function next<Name extends keyof ServerToClient>(
  socket: TestSocket,
  name: Name,
  fits: (sent: Parameters<ServerToClient[Name]>[0]) => boolean = () => true,
): Promise<Parameters<ServerToClient[Name]>[0]> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no ${name} within ${LIMIT_MS} ms`)), LIMIT_MS);
    const listener = (sent: Parameters<ServerToClient[Name]>[0]) => {
      if (!fits(sent)) return;
      clearTimeout(timer);
      socket.off(name, listener as never);
      resolve(sent);
    };
    socket.on(name, listener as never);
  });
}

/** Resolves with the reason once the socket is disconnected. */
export const gone = (socket: TestSocket): Promise<string> => new Promise((resolve) => socket.once('disconnect', resolve));

/** Creates a question with new ids and a new archive. */
export const questionOf = (userId: string, overrides: Partial<ChatMessage> = {}): ChatMessage => ({
  client_id: randomUUID(),
  user_id: userId,
  archive_id: randomUUID(),
  message: 'What is the price of Bitcoin?',
  chat_id: 0,
  chat_image: null,
  ...overrides,
});

/** Sends any value as a `chat_message` and waits for the acknowledgement. */
export const send = (socket: TestSocket, message: unknown): Promise<ChatAck> =>
  socket.timeout(LIMIT_MS).emitWithAck('chat_message', message as ChatMessage);
