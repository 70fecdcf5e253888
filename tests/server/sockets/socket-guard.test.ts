import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SOCKET_PATH } from '#contract/paths.ts';
import { MINUTE, SECOND } from '#domain/clock.ts';
import type { RealtimeServer, RealtimeSocket } from '#server/realtime/server.ts';
import { type CutReason, guardConnections, MAX_BACKLOG } from '#server/realtime/traffic-guard.ts';
import { joinRaw } from '#tests/support/server/raw-socket.ts';

/** More than the kernel buffers for a client that does not read. */
const FLOOD = 64 * 1024 * 1024;
const CHUNK = 64 * 1024;
const POLLING = { interval: 20 };

let http: HttpServer;
let io: RealtimeServer;
let url: string;
let now: number;
/** How often the guard has read the clock. */
let looks: number;
let guard: ReturnType<typeof guardConnections>;
let cuts: CutReason[];

beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  looks = 0;
  cuts = [];
  http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  io = new Server(http, { path: SOCKET_PATH, transports: ['websocket'] });
  const clock = () => {
    looks += 1;
    return now;
  };
  guard = guardConnections(io, { clock, onCut: (_connection, reason) => cuts.push(reason) });
});
afterEach(async () => {
  guard.stop();
  await io.close();
});

async function arrive() {
  const arrived = new Promise<RealtimeSocket>((resolve) => io.once('connection', resolve));
  const client = await joinRaw(url, '');
  return { client, socket: await arrived };
}

/** Waits for checks of the guard, which it makes each second. */
async function checks(count: number) {
  const before = looks;
  await vi.waitFor(() => expect(looks).toBeGreaterThanOrEqual(before + count), POLLING);
}

const notice = (size: number) => ({ id: 'x'.repeat(size) }) as never;

test('cuts a client that does not read once 1 MB waits for it, and queues no more', async () => {
  const { client, socket } = await arrive();
  client.tcp.pause();
  const below = socket.conn.request.socket;
  let most = 0;
  for (let sent = 0; sent < FLOOD && socket.connected; sent += CHUNK) {
    socket.emit('notification', notice(CHUNK));
    most = Math.max(most, below.writableLength);
    await new Promise(setImmediate);
  }
  expect(cuts).toEqual(['backlog']);
  expect(socket.connected).toBe(false);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2 * MAX_BACKLOG);
  client.tcp.resume();
  await client.closed;
});

test('cuts it in the middle of one burst, too', async () => {
  const { client, socket } = await arrive();
  let emits = 0;
  while (socket.connected && emits < 1000) {
    socket.emit('notification', notice(CHUNK));
    emits++;
  }
  expect(cuts).toEqual(['backlog']);
  expect(emits).toBeLessThanOrEqual((2 * MAX_BACKLOG) / CHUNK);
  await client.closed;
});

test('counts the memory of small packets, not only their text', async () => {
  const { socket } = await arrive();
  let emits = 0;
  while (socket.connected && emits < 100_000) {
    socket.emit('displaced');
    emits++;
  }
  expect(cuts).toEqual(['backlog']);
  expect(emits).toBeLessThan(10_000);
});

test('cuts a client that reads nothing for 20 seconds while something waits for it', async () => {
  const { client, socket } = await arrive();
  client.tcp.pause();
  const { request } = socket.conn;
  // Fills the kernel's buffers, so that a little waits in the process, far below the limit.
  while (request.socket.writableLength === 0) {
    socket.emit('notification', notice(CHUNK));
    await new Promise(setImmediate);
  }
  await vi.waitFor(() => expect(request.socket.writableLength).toBeGreaterThan(0), POLLING);
  await checks(2);
  expect(cuts).toEqual([]);
  now += 21 * SECOND;
  await vi.waitFor(() => expect(cuts).toEqual(['stalled']), POLLING);
});

test('cuts a client that sends too many bytes in a minute, without a single whole message', async () => {
  const { client } = await arrive();
  // Empty fragments of an endless message, masked with zeros: 0x01 starts a text, 0x00 continues it.
  client.tcp.write(Buffer.from([0x01, 0x80, 0, 0, 0, 0]));
  const fragments = Buffer.concat(Array.from({ length: 10_000 }, () => Buffer.from([0x00, 0x80, 0, 0, 0, 0])));
  for (let sent = 0; sent < 100 && !client.tcp.destroyed; sent++) {
    client.tcp.write(fragments);
    await new Promise(setImmediate);
  }
  await client.closed;
  // The WebSocket library's own limit on fragments may come first.
  expect(cuts.length === 0 || cuts[0] === 'bytes').toBe(true);
});

test('the limits reset each minute', async () => {
  const { client, socket } = await arrive();
  for (let minute = 0; minute < 3; minute++) {
    const heard = new Promise((resolve) => socket.conn.on('packet', ({ data }) => data?.includes(`last ${minute}`) && resolve(true)));
    client.send(...Array.from({ length: 400 }, () => '42["watch_coins",[]]'), `42["last ${minute}"]`);
    await heard;
    now += MINUTE;
    await checks(1);
  }
  expect(cuts).toEqual([]);
  expect(socket.connected).toBe(true);
});
