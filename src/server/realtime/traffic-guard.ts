import { type Clock, MINUTE, SECOND } from '#domain/clock.ts';
import { type Connection, cutConnection, cutSoon } from './end-socket.ts';
import type { RealtimeServer } from './server.ts';

/** Packets and WebSocket frames of any kind; far above what constant scrolling sends. */
const PACKETS_A_MINUTE = 600;
/** Twice 30 questions of the largest size. Also bounds fragments of an endless message, which are not packets. */
const BYTES_A_MINUTE = 4 * 1024 * 1024;
/** Size of a client's write queue, bytes. */
export const MAX_BACKLOG = 1024 * 1024;
/** Memory of a queued packet besides its text, bytes. */
const PACKET_OVERHEAD = 200;
/** Time that a client may read nothing, ms. */
const MAX_STALL = 20 * SECOND;
const CHECK_INTERVAL = SECOND;

/** Why a connection was cut. */
export type CutReason = 'packets' | 'bytes' | 'binary' | 'backlog' | 'stalled' | 'second connect';

/** The `ws` package's WebSocket, which engine.io's types hide. */
interface WebSocketBelow {
  /** Bytes in its queue and in the TCP connection's. */
  bufferedAmount: number;
  on(frame: 'ping' | 'pong', listener: () => void): void;
}

interface Guarded {
  backlog: () => number;
  /** Packets in this minute. */
  packets: number;
  /** Bytes read at the start of this minute. */
  readAtStart: number;
  minuteEndsAt: number;
  /** Bytes written at the last check that saw progress, and its time. */
  written: number;
  progressAt: number;
}

interface Options {
  clock: Clock;
  onCut: (connection: Connection, reason: CutReason) => void;
}

/** Cuts connections that send too much or do not read; checks on each packet and once a second. */
export function guardConnections(io: RealtimeServer, { clock, onCut }: Options) {
  const guarded = new Map<Connection, Guarded>();
  let timer: NodeJS.Timeout | undefined;

  function cut(connection: Connection, reason: CutReason): void {
    if (!guarded.delete(connection)) return;
    onCut(connection, reason);
    cutConnection(connection);
  }

  function checkAll(): void {
    const now = clock();
    for (const [connection, one] of guarded) {
      const { bytesRead, bytesWritten } = connection.request.socket;
      if (bytesRead - one.readAtStart > BYTES_A_MINUTE) cut(connection, 'bytes');
      if (now >= one.minuteEndsAt) Object.assign(one, { packets: 0, readAtStart: bytesRead, minuteEndsAt: now + MINUTE });
      const backlog = one.backlog();
      if (backlog > MAX_BACKLOG) cut(connection, 'backlog');
      if (backlog === 0 || bytesWritten !== one.written) Object.assign(one, { written: bytesWritten, progressAt: now });
      else if (now - one.progressAt > MAX_STALL) cut(connection, 'stalled');
    }
    if (guarded.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function guard(connection: Connection): void {
    const below = (connection.transport as unknown as { socket: WebSocketBelow }).socket;
    const now = clock();
    let queued = 0;
    const backlog = () => queued + below.bufferedAmount;
    const one: Guarded = { backlog, packets: 0, readAtStart: 0, minuteEndsAt: now + MINUTE, written: 0, progressAt: now };
    const count = () => {
      one.packets += 1;
      if (one.packets > PACKETS_A_MINUTE) cut(connection, 'packets');
    };
    guarded.set(connection, one);
    timer ??= setInterval(checkAll, CHECK_INTERVAL).unref();

    connection.on('packet', ({ data }: { data?: unknown }) => {
      count();
      // The contract has no binary messages, and parts of one would be buffered until the last arrives.
      if (data !== undefined && typeof data !== 'string') cut(connection, 'binary');
    });
    below.on('ping', count);
    below.on('pong', count);
    connection.on('packetCreate', ({ data = '' }: { data?: string }) => {
      queued += Buffer.byteLength(data) + PACKET_OVERHEAD;
      if (backlog() > MAX_BACKLOG) cut(connection, 'backlog');
    });
    connection.on('flush', () => {
      queued = 0;
    });
    connection.once('close', () => {
      guarded.delete(connection);
      cutSoon(connection);
    });
  }

  io.engine.on('connection', guard);

  return {
    cut,
    stop() {
      clearInterval(timer);
      io.engine.off('connection', guard);
    },
  };
}
