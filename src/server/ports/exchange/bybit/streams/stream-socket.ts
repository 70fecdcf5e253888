import WebSocket, { type RawData } from 'ws';
import { MINUTE, SECOND } from '#domain/clock.ts';
import type { AddressBudget } from '#server/ports/exchange/address-budget.ts';

/** Size of a message, bytes. */
const MAX_MESSAGE = 2 ** 20;

/** Times in ms. */
export interface StreamTiming {
  /** Interval of pings. A connection that is silent for two of them is lost. */
  ping: number;
  /** First and longest delay before a lost stream connects again. */
  firstRetry: number;
  maxRetry: number;
}

export const STREAM_TIMING: StreamTiming = { ping: 20 * SECOND, firstRetry: SECOND, maxRetry: 5 * MINUTE };

interface Options {
  /** Returns the address to connect to. */
  url: () => string;
  /** The connections that this server's network address may open. */
  dials: AddressBudget;
  patience: StreamTiming;
  /** Runs on each new connection. */
  onOpen: () => void;
  /** Receives each message, parsed; undefined for one that is not JSON. */
  onMessage: (message: unknown) => void;
  /** Runs once for each connection or attempt that ended. */
  onLost: () => void;
}

/** Keeps a connection open, and connects again with a growing delay, until it is closed. */
export function keepConnected({ url, dials, patience, onOpen, onMessage, onLost }: Options) {
  let socket: WebSocket | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;
  let failures = 0;

  function lose(): void {
    socket = undefined;
    onLost();
    if (isClosed) return;
    const longest = Math.min(patience.firstRetry * 2 ** failures++, patience.maxRetry);
    // Adds jitter, so that streams that broke together do not reconnect together.
    retry = setTimeout(connect, longest * (0.5 + Math.random() / 2)).unref();
  }

  async function connect(): Promise<void> {
    try {
      await dials.take('look');
      const receive = (raw: RawData) => onMessage(parseJson(raw));
      if (!isClosed) socket = dial({ url: url(), ping: patience.ping, open: onOpen, receive, lose });
    } catch {
      lose();
    }
  }

  void connect();
  return {
    send: (message: object): void => socket?.send(JSON.stringify(message)),
    /** Ends the current connection; another one follows. */
    reset: (): void => socket?.terminate(),
    /** Resets the backoff, because the stream works. */
    confirm(): void {
      failures = 0;
    },
    close(): void {
      isClosed = true;
      clearTimeout(retry);
      socket?.terminate();
    },
  };
}

interface Dialing {
  url: string;
  /** ms. */
  ping: number;
  open: () => void;
  receive: (raw: RawData) => void;
  /** Runs once, however the connection ends. */
  lose: () => void;
}

/** Opens a connection and keeps it alive. */
function dial({ url, ping, open, receive, lose }: Dialing): WebSocket {
  const socket = new WebSocket(url, { maxPayload: MAX_MESSAGE, handshakeTimeout: 10 * SECOND, perMessageDeflate: false });
  let isHeard = true;
  const pings = setInterval(() => {
    if (!isHeard) socket.terminate();
    else if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ op: 'ping' }));
    isHeard = false;
  }, ping).unref();
  socket.on('open', open);
  socket.on('message', (raw) => {
    isHeard = true;
    receive(raw);
  });
  // 'close' follows every error.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearInterval(pings);
    lose();
  });
  return socket;
}

function parseJson(raw: RawData): unknown {
  try {
    return JSON.parse(raw.toString());
  } catch {
    return undefined;
  }
}
