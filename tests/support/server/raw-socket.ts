import { randomBytes } from 'node:crypto';
import net from 'node:net';
import { SOCKET_PATH } from '#contract/paths.ts';
import { untilClosed } from './until-closed.ts';

const TEXT = 1;
const PING = 9;

/** A WebSocket without engine.io and socket.io, for clients that misbehave. */
export interface RawSocket {
  tcp: net.Socket;
  /** Returns everything the server has sent, headers included. */
  received(): string;
  /** Resolves once the server has sent `text`. Rejects when the connection closes first. */
  hear(text: string): Promise<void>;
  /** Sends text frames in one write. */
  send(...texts: string[]): void;
  /** Sends WebSocket ping frames in one write. */
  ping(count: number): void;
  /** Sends a binary frame. */
  sendBinary(bytes: Buffer): void;
  /** Resolves when the connection has closed. */
  closed: Promise<void>;
}

interface Options {
  token?: string;
  /** Added to the query of the handshake. */
  query?: string;
  headers?: Record<string, string>;
}

/** Connects and sends the handshake, without waiting for the answer. */
export function openRaw(url: string, { token = '', query = '', headers = {} }: Options = {}): RawSocket {
  const { hostname, port, host } = new URL(url);
  const tcp = net.connect(Number(port), hostname);
  let received = '';
  tcp.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  tcp.on('error', () => undefined);
  const closed = untilClosed(tcp);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  tcp.write(
    `GET ${SOCKET_PATH}/?EIO=4&transport=websocket&token=${token}${query} HTTP/1.1\r\nHost: ${host}\r\n${lines.join('')}` +
      'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n' +
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  );
  return {
    tcp,
    closed,
    received: () => received,
    async hear(text) {
      while (!received.includes(text)) {
        if (tcp.closed) throw new Error(`closed before ${text}: ${received}`);
        await Promise.race([new Promise((resolve) => tcp.once('data', resolve)), closed]);
      }
    },
    send: (...texts) => void tcp.write(Buffer.concat(texts.map((text) => frame(TEXT, Buffer.from(text))))),
    ping: (count) => void tcp.write(Buffer.concat(Array.from({ length: count }, () => frame(PING, Buffer.alloc(0))))),
    sendBinary: (bytes) => void tcp.write(frame(2, bytes)),
  };
}

/** Opens a socket and joins as the token's user. */
export async function joinRaw(url: string, token: string, headers?: Record<string, string>): Promise<RawSocket> {
  const socket = openRaw(url, { token, ...(headers && { headers }) });
  await socket.hear('"sid"');
  socket.send('40');
  await socket.hear('40{"sid"');
  return socket;
}

/** Encodes a complete client frame, masked with zeros. */
function frame(opcode: number, payload: Buffer): Buffer {
  const header = payload.length < 126 ? Buffer.alloc(2) : Buffer.alloc(4);
  header[0] = 0x80 | opcode;
  if (payload.length < 126) header[1] = 0x80 | payload.length;
  else {
    header[1] = 0x80 | 126;
    header.writeUInt16BE(payload.length, 2);
  }
  return Buffer.concat([header, Buffer.alloc(4), payload]);
}
