import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Candle } from '#domain/market/candles.ts';
import type { Call, Fault, Reply } from './bybit/faults.ts';

/** The time and the prices of a fake exchange. */
export interface Market {
  /** Current time of the exchange, ms. */
  now: () => number;
  /** Current price, USD. */
  price: () => number;
  /** Current mark price, USD. */
  mark: () => number;
  /** Oldest first; the last candle may still be forming. */
  candles: () => readonly Candle[];
}

/** A market as tests give it. The mark price is the last price by default, and there are no candles. */
export type MarketOptions = Pick<Market, 'now' | 'price'> & Partial<Pick<Market, 'mark' | 'candles'>>;

/** What a call gets: a reply, a closed connection, or nothing. */
export type Outcome = ReturnType<Fault>;

/** Serves the replies of a fake exchange on this machine. Port 0 picks a free one. */
export async function serveReplies(answer: (request: http.IncomingMessage) => Promise<Outcome>, port = 0) {
  const server = http.createServer((request, response) => {
    answer(request).then(
      (reply) => {
        if (reply === 'silence') return;
        if (reply === 'reset') request.socket.destroy();
        else response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(reply.body);
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export type FaultQueue = ReturnType<typeof createFaultQueue>;

/** Creates the queued faults of each path. */
export function createFaultQueue() {
  const queued = new Map<string, Fault[]>();
  /** Last answer of each path. */
  const before = new Map<string, Reply>();
  return {
    /** Queues faults for the next calls of a path, one each. */
    fail(path: string, ...next: Fault[]): void {
      queued.set(path, [...(queued.get(path) ?? []), ...next]);
    },
    clear: (): void => queued.clear(),
    /** Carries out a call, unless a fault is queued for its path: then the fault decides. */
    run(done: Parameters<Fault>[0], call: Pick<Call, 'path' | 'params' | 'venue'>): Outcome {
      const fault = queued.get(call.path)?.shift();
      const reply = fault ? fault(done, { ...call, before: before.get(call.path) }) : done();
      if (typeof reply === 'object') before.set(call.path, reply);
      return reply;
    },
  };
}
