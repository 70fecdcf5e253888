import type { Socket } from 'socket.io-client';
import { SOCKET_PATH } from '#contract/paths.ts';
import type { ClientToServer, ServerToClient } from '#contract/socket.ts';
import { onPageCache } from '../page-cache.ts';
import { accessToken, onSessionChange, refresh, sessionState } from '../session/session.ts';
import { SOCKET_URL } from '../settings.ts';
import { isReachable, onReachabilityChange, reportReachable } from './reachability.ts';
import { socketBlocked } from './socket-blocked.ts';

/**
 * The page's one socket. Its events are hints: listeners read the data over the API, and catch up after each connection.
 * This module reconnects by itself, because each attempt needs a fresh token.
 */
export type LiveSocket = Socket<ServerToClient, ClientToServer>;

type Configure = (socket: LiveSocket) => void;

const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 30_000;
/** Delay after another page of the user took this connection's slot. Showing this page reconnects sooner. */
const DISPLACED_DELAY = 5 * 60_000;

let socket: LiveSocket | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;
let displaced = false;
let started = false;
/** The page is in the browser's cache for Back and Forward. */
let cached = false;
const configured: Configure[] = [];

/** Runs `configure` on the socket, once it exists, to add listeners. */
export function withSocket(configure: Configure) {
  configured.push(configure);
  if (socket) configure(socket);
}

/** Calls `listener` when events may be lost: after each connection, and when the server says so. */
export function onMissed(listener: () => void) {
  withSocket((it) => {
    it.on('connect', listener);
    it.on('missed', listener);
  });
}

/** Stores what an event brings. If the device cannot, the data comes with the next reload. */
export function onEvent(name: 'chat_response' | 'generate_title_response' | 'notification', store: (event: unknown) => Promise<unknown>) {
  const failed = (error: unknown) => console.error('an event could not be stored', name, error);
  withSocket((it) => it.on(name, (event: unknown) => void store(event).catch(failed)));
}

/** Returns the socket while it is connected. */
export const connectedSocket = (): LiveSocket | undefined => (socket?.connected ? socket : undefined);

/** Connects the socket and keeps it connected while a user is signed in. */
export function startSocket() {
  if (started) return;
  started = true;
  onSessionChange(() => {
    if (sessionState().status === 'signed-in') attemptSoon();
    else socket?.disconnect();
  });
  // A socket may look connected for minutes after the network is lost: disconnect it.
  onReachabilityChange(() => (isReachable() ? attemptSoon() : socket?.disconnect()));
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && attemptSoon());
  onPageCache({
    freeze() {
      cached = true;
      clearTimeout(timer);
      socket?.disconnect();
    },
    resume() {
      cached = false;
      attemptSoon();
    },
  });
  attemptSoon();
}

function attemptSoon() {
  failures = 0;
  schedule(0);
}

function schedule(delay: number) {
  clearTimeout(timer);
  timer = setTimeout(() => void attempt(), delay);
}

/** Attempts again after half to one and a half of the delay: after a restart of the server, all pages reconnect. */
function attemptLater() {
  schedule(Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** failures++) * (0.5 + Math.random()));
}

async function attempt() {
  if (cached || socket?.connected || sessionState().status !== 'signed-in' || !isReachable()) return;
  try {
    const token = await accessToken();
    if (!token) return;
    socket ??= await create();
    socket.io.opts.query = { token };
    if (!socket.active) socket.connect();
  } catch {
    attemptLater(); // no connection for the token refresh or for the socket's code
  }
}

async function create(): Promise<LiveSocket> {
  const { io } = await import('socket.io-client');
  const created: LiveSocket = io(SOCKET_URL ?? location.origin, {
    path: SOCKET_PATH,
    transports: ['websocket'],
    autoConnect: false,
    reconnection: false,
  });
  created.on('connect', () => {
    failures = 0;
    socketBlocked.set(false);
    reportReachable();
  });
  // Until disconnect(), the library treats a failed connection as active, and connect() does nothing.
  created.on('disconnect', () => {
    created.disconnect();
    if (displaced) schedule(DISPLACED_DELAY);
    else attemptLater();
    displaced = false;
  });
  created.on('displaced', () => {
    displaced = true;
  });
  created.on('connect_error', (error) => void refused(error));
  for (const configure of configured) configure(created);
  return created;
}

async function refused(error: Error & { data?: unknown }) {
  socket?.disconnect();
  const { code } = (error.data ?? {}) as { code?: unknown };
  socketBlocked.set(code === undefined);
  const stale = socket?.io.opts.query?.token;
  if (code === 'unauthorized' && typeof stale === 'string') await refresh(stale).catch(() => undefined);
  attemptLater();
}
