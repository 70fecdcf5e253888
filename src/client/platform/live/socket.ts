import type { Socket } from 'socket.io-client';
import { SOCKET_PATH } from '#contract/paths.ts';
import type { ClientToServer, ServerToClient } from '#contract/socket.ts';
import { accessToken, onSessionChange, refresh, sessionState } from '../session/session.ts';
import { SOCKET_URL } from '../settings.ts';
import { isReachable, onReachabilityChange, reportReachable } from './reachability.ts';

/**
 * The one socket of this page. It is a hint: what it says can be read again over the API, and whoever listens
 * pulls what was missed when it connects. Reconnecting is ours, because each attempt needs a fresh token.
 */
export type LiveSocket = Socket<ServerToClient, ClientToServer>;

type Configure = (socket: LiveSocket) => void;

const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 30_000;
/** Another page of the user took this one's place. Looking at this page takes it back sooner. */
const DISPLACED_DELAY = 5 * 60_000;

let socket: LiveSocket | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;
let displaced = false;
let started = false;
const configured: Configure[] = [];

/** Runs `configure` on the page's socket: now, or once it exists. For adding listeners. */
export function withSocket(configure: Configure) {
  configured.push(configure);
  if (socket) configure(socket);
}

/** The socket while it is connected. */
export const connectedSocket = (): LiveSocket | undefined => (socket?.connected ? socket : undefined);

/** Connects, and stays connected while a user is signed in. */
export function startSocket() {
  if (started) return;
  started = true;
  onSessionChange(() => {
    if (sessionState().status === 'signed-in') attemptSoon();
    else socket?.disconnect();
  });
  // A socket of a lost connection may seem alive for minutes, or come up just after the loss: neither is to be believed.
  onReachabilityChange(() => (isReachable() ? attemptSoon() : socket?.disconnect()));
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && attemptSoon());
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

function attemptLater() {
  schedule(Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** failures++));
}

async function attempt() {
  if (socket?.connected || sessionState().status !== 'signed-in' || !isReachable()) return;
  try {
    const token = await accessToken();
    if (!token) return;
    socket ??= await create();
    socket.io.opts.query = { token };
    if (!socket.active) socket.connect();
  } catch {
    attemptLater(); // no connection: the refresh or the code of the socket itself could not be fetched
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
    reportReachable();
  });
  // Until it is let go of, the library counts a lost or failed connection as active, and connect() would do nothing.
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
  const stale = socket?.io.opts.query?.token;
  if (code === 'unauthorized' && typeof stale === 'string') await refresh(stale).catch(() => undefined);
  attemptLater();
}
