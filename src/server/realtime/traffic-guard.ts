import { type Clock, MINUTE, SECOND } from '#domain/clock.ts';
import { type Connection, cutConnection, cutSoon } from './end-socket.ts';
import type { RealtimeServer } from './server.ts';

/** Packets and WebSocket frames of any kind, far above what a list that is scrolled all the time sends. */
const PACKETS_A_MINUTE = 600;
/** 30 questions of the largest size, twice. Fragments of a message that never ends are no packets, but they are bytes. */
const BYTES_A_MINUTE = 4 * 1024 * 1024;
/** What may wait to be written to one client, bytes. */
export const MAX_BACKLOG = 1024 * 1024;
/** Memory of a packet that waits, beside its text, bytes. */
const PACKET_OVERHEAD = 200;
/** How long a client may leave everything unread, ms. */
const MAX_STALL = 20 * SECOND;
const LOOK_EVERY = SECOND;

/** Why a connection was cut. */
export type CutReason = 'packets' | 'bytes' | 'binary' | 'backlog' | 'stalled' | 'second connect';

/** The WebSocket of the `ws` package below the transport, which engine.io's types hide. */
interface WebSocketBelow {
  /** Bytes in its own queue and in that of the TCP connection. */
  bufferedAmount: number;
  on(frame: 'ping' | 'pong', listener: () => void): void;
}

interface Guarded {
  backlog: () => number;
  /** Packets of this minute. */
  packets: number;
  /** Bytes read when the minute began. */
  readAtStart: number;
  minuteEndsAt: number;
  /** Bytes written at the last look that saw progress, and when that was. */
  written: number;
  progressAt: number;
}

interface Options {
  clock: Clock;
  onCut: (connection: Connection, reason: CutReason) => void;
}

/** Cuts connections that send too much or do not read, on each packet and once a second. */
export function guardConnections(io: RealtimeServer, { clock, onCut }: Options) {
  const guarded = new Map<Connection, Guarded>();
  let timer: NodeJS.Timeout | undefined;

  function cut(connection: Connection, reason: CutReason): void {
    if (!guarded.delete(connection)) return;
    onCut(connection, reason);
    cutConnection(connection);
  }

  function look(): void {
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
    timer ??= setInterval(look, LOOK_EVERY).unref();

    connection.on('packet', ({ data }: { data?: unknown }) => {
      count();
      // No message of the contract is binary; parts of one would be kept until the last has come.
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
