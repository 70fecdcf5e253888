import { randomBytes } from 'node:crypto';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { SOCKET_PATH } from '#contract/paths.ts';
import { untilClosed } from '#tests/support/server/until-closed.ts';

const HANDSHAKE_MS = 10_000;
const LOOK_EVERY_MS = 5;

/** Opens a TCP connection to the server for raw bytes. */
export async function openTcp(url: string): Promise<Socket> {
  const socket = createConnection({ host: '127.0.0.1', port: Number(new URL(url).port) });
  // Attacks expect the server to end the connection.
  socket.on('error', () => undefined);
  await Promise.race([new Promise((resolve) => socket.once('connect', resolve)), untilClosed(socket)]);
  return socket;
}

export interface RawSocket {
  readonly isOpen: boolean;
  /** Whether the server accepted the socket for a user. A refused one may stay open for a moment. */
  readonly isTaken: boolean;
  /** Status of the handshake: 101 for an open WebSocket, 0 without an answer. */
  readonly status: number;
  /** Sends a text frame. Returns false while the connection's buffer is full. */
  send(text: string): boolean;
  /** Resolves when the buffer has room again, or the connection is closed. */
  drained(): Promise<void>;
  /** Stops reading, which fills the kernel's buffers and then the server's. */
  stopReading(): void;
  close(): void;
}

export interface Handshake {
  token?: string;
  from?: string;
  /** Sends Socket.IO's CONNECT packet and waits for its answer. */
  isConnected?: boolean;
}

/** A WebSocket to the Socket.IO server that ignores limits and only answers pings while it reads. */
export async function openRawSocket(url: string, { token, from, isConnected = true }: Handshake): Promise<RawSocket> {
  const tcp = await openTcp(url);
  let received = '';
  const listen = (chunk: Buffer) => {
    if (received.length < 64 * 1024) received += chunk.toString('latin1');
    // Answer pings, so that the server keeps the connection.
    if (received.length > 200 && chunk.length === 3 && chunk[2] === 0x32) tcp.write(frame('3'));
  };
  tcp.on('data', listen);
  const query = `EIO=4&transport=websocket${token ? `&token=${token}` : ''}`;
  const headers = [
    `GET ${SOCKET_PATH}/?${query} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    ...(from ? [`X-Forwarded-For: ${from}`] : []),
  ];
  tcp.write(`${headers.join('\r\n')}\r\n\r\n`);
  await until(tcp, () => received.includes('\r\n\r\n'));
  const status = Number(received.match(/^HTTP\/1\.1 (\d{3})/)?.[1] ?? 0);
  if (status === 101 && isConnected) {
    tcp.write(frame('40'));
    // '40{"sid"…}' accepts the connection, '44' refuses it.
    await until(tcp, () => /4[04]\{/.test(received));
  }

  return {
    get isOpen() {
      return status === 101 && !tcp.destroyed && !tcp.readableEnded;
    },
    get isTaken() {
      return received.includes('40{');
    },
    status,
    send: (text) => tcp.writable && tcp.write(frame(text)),
    async drained() {
      while (!tcp.destroyed && tcp.writableNeedDrain) await pause(LOOK_EVERY_MS);
    },
    stopReading() {
      tcp.off('data', listen);
      tcp.pause();
    },
    close: () => tcp.destroy(),
  };
}

async function until(tcp: Socket, isDone: () => boolean): Promise<void> {
  const end = Date.now() + HANDSHAKE_MS;
  while (!isDone() && !tcp.destroyed && Date.now() < end) await pause(LOOK_EVERY_MS);
}

/** Encodes a masked text frame. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  const head =
    length < 126
      ? Buffer.from([0x81, 0x80 | length])
      : length < 65_536
        ? Buffer.from([0x81, 0xfe, length >> 8, length & 255])
        : Buffer.concat([Buffer.from([0x81, 0xff, 0, 0, 0, 0]), uint32(length)]);
  const mask = Buffer.from([1, 2, 3, 4]);
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ ((index & 3) + 1))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
