import { createHmac } from 'node:crypto';
import type http from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { executionRow, orderRow, streamedPositionRow, walletRow } from './answers.ts';
import { createMarketStream, type StreamMessage } from './market-stream.ts';
import type { Changed, Venue } from './venue.ts';

const TOPICS = ['order', 'execution', 'position', 'wallet'];

interface Options {
  server: http.Server;
  now: () => number;
  price: () => number;
  mark: () => number;
  keyOf: (name: string) => { secret: string; revoked: boolean; venue: Venue } | undefined;
}

function messagesOf(venue: Venue, { orders, executions }: Changed, { mark, now }: { mark: number; now: number }): StreamMessage[] {
  const category = 'linear';
  const messages: StreamMessage[] = [
    { topic: 'order', data: orders.map((order) => ({ category, ...orderRow(order) })) },
    { topic: 'execution', data: executions.map((one) => ({ category, ...executionRow(one) })) },
    { topic: 'position', data: [streamedPositionRow(venue, mark, now)] },
    { topic: 'wallet', data: executions.length > 0 ? [walletRow(venue)] : [] },
  ];
  return messages.filter(({ data }) => !Array.isArray(data) || data.length > 0);
}

/** Returns the account of a login; undefined if it is wrong. */
function login([name, expires, signature]: unknown[], { keyOf, now }: Pick<Options, 'keyOf' | 'now'>): Venue | undefined {
  const key = keyOf(String(name));
  const wanted = key && createHmac('sha256', key.secret).update(`GET/realtime${expires}`).digest('hex');
  return key && !key.revoked && wanted === signature && Number(expires) > now() ? key.venue : undefined;
}

/** Creates the delivery of messages, which can be held and released in another way. */
function createDelivery(now: () => number, faults: { readonly isMute: boolean }) {
  let held: { socket: WebSocket; message: StreamMessage }[] | undefined;
  let made = 0;

  function deliver(socket: WebSocket, message: StreamMessage): void {
    if (!faults.isMute && socket.readyState === socket.OPEN)
      socket.send(JSON.stringify({ id: `message-${++made}`, creationTime: now(), ...message }));
  }

  return {
    send(socket: WebSocket, message: StreamMessage): void {
      if (held) held.push({ socket, message });
      else deliver(socket, message);
    },
    /** Keeps all messages until `release`. */
    hold(): void {
      held ??= [];
    },
    /** Delivers the kept messages as `arrange` returns them: in another order, twice, or not at all. */
    release(arrange: (messages: StreamMessage[]) => StreamMessage[] = (messages) => messages): void {
      const kept = held ?? [];
      held = undefined;
      const senders = new Map(kept.map(({ socket, message }) => [message, socket]));
      for (const message of arrange(kept.map((one) => one.message))) {
        const socket = senders.get(message);
        if (socket) deliver(socket, message);
      }
    },
  };
}

/** Adds Bybit's streams to a server: login, topics, pings and messages, and the faults that a network adds. */
export function addStreams({ server, now, price, mark, keyOf }: Options) {
  const sockets = new WebSocketServer({ server });
  const faults = { isDown: false, isMute: false };
  const counts = { opened: 0, subscribed: 0 };
  function cut(): void {
    for (const socket of sockets.clients) socket.terminate();
  }

  const { send, ...delivery } = createDelivery(now, faults);
  const { serve, ...market } = createMarketStream({ now, price, mark, send, faults });

  sockets.on('connection', (socket, { url }) => {
    if (faults.isDown) return socket.terminate();
    if (url !== '/v5/private') return url === '/v5/public/linear' ? serve(socket) : socket.terminate();
    counts.opened++;
    let venue: Venue | undefined;
    let leave: (() => void) | undefined;
    socket.on('message', (raw) => {
      if (faults.isMute) return;
      const { op, args = [], req_id } = JSON.parse(String(raw)) as { op: string; args?: unknown[]; req_id?: string };
      const reply = (success: boolean, ret_msg = '') => socket.send(JSON.stringify({ success, ret_msg, op, conn_id: 'fake' }));
      if (op === 'ping') socket.send(JSON.stringify({ req_id, op: 'pong', args: [String(now())], conn_id: 'fake' }));
      else if (op === 'auth') {
        venue = login(args, { keyOf, now });
        reply(venue !== undefined, venue ? '' : 'Params Error');
      } else if (op === 'subscribe' && venue && args.every((topic) => TOPICS.includes(String(topic)))) {
        const own = venue;
        const end = own.onChange((changed) => {
          for (const message of messagesOf(own, changed, { mark: mark(), now: now() })) send(socket, message);
        });
        counts.subscribed++;
        leave = () => {
          counts.subscribed--;
          end();
        };
        reply(true);
      } else reply(false, 'Request not authorized');
    });
    socket.on('close', () => leave?.());
  });

  return {
    /** Refuse connections; deliver and answer nothing on open ones. */
    faults,
    counts: counts as Readonly<typeof counts>,
    open: () => sockets.clients.size,
    ...market,
    /** Connections that get messages. */
    subscribed: () => counts.subscribed,
    /** Breaks all connections. */
    cut,
    ...delivery,
    close(): void {
      cut();
      sockets.close();
    },
  };
}
