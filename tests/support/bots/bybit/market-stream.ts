import type { WebSocket } from 'ws';
import { tickerRow } from './answers.ts';

const TOPIC = 'tickers.BTCUSDT';

export interface StreamMessage {
  topic: string;
  data: Record<string, unknown>[] | Record<string, unknown>;
  /** Of the market's messages: whether the data is complete, and the exchange's time. */
  type?: 'snapshot' | 'delta';
  ts?: number;
}

interface Options {
  now: () => number;
  price: () => number;
  mark: () => number;
  send: (socket: WebSocket, message: StreamMessage) => void;
  faults: { readonly isMute: boolean };
}

/** Creates Bybit's public stream of the ticker: a snapshot to each new follower, then what has changed. */
export function createMarketStream({ now, price, mark, send, faults }: Options) {
  const followers = new Set<WebSocket>();
  const tickerOf = (type: 'snapshot' | 'delta', changed: Record<string, unknown>): StreamMessage => ({
    ...{ topic: TOPIC, type, ts: now() },
    data: { symbol: 'BTCUSDT', ...changed },
  });

  return {
    serve(socket: WebSocket): void {
      socket.on('message', (raw) => {
        if (faults.isMute) return;
        const { op, args = [], req_id } = JSON.parse(String(raw)) as { op: string; args?: unknown[]; req_id?: string };
        const isKnown = op === 'subscribe' && args.every((topic) => topic === TOPIC);
        const answer = { success: op === 'ping' || isKnown, ret_msg: op === 'ping' ? 'pong' : '', op, req_id, conn_id: 'fake' };
        socket.send(JSON.stringify(answer));
        if (!isKnown) return;
        followers.add(socket);
        send(socket, tickerOf('snapshot', tickerRow(price(), mark(), 0)));
      });
      socket.on('close', () => followers.delete(socket));
    },

    /** Connections that follow the market. */
    followers: () => followers.size,
    /** Reports what has changed of the ticker; the last price by default. */
    tick(changed: Record<string, unknown> = { lastPrice: String(price()) }): void {
      for (const socket of followers) send(socket, tickerOf('delta', changed));
    },
  };
}
