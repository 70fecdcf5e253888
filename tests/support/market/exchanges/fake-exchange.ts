import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { VenueId } from '#server/ports/market-data/exchanges/venue.ts';
import { NOT_FOUND } from './dialect.ts';
import { DIALECTS } from './dialects.ts';

/** A market, with common codes and exact figures in its quote currency. */
export interface FakeMarket {
  base: string;
  quote: string;
  price: number | null;
  /** 24 hours ago. */
  open: number | null;
  /** In the base currency. */
  volume: number | null;
  /** Time of the last trade, ms; the exchange's own time without it. */
  at?: number;
  /** Whether it may be traded; delisted markets stay in the answers of tickers. */
  isOpen?: boolean;
  /** Oldest price of its candles, ms; without it they reach back for ever. */
  since?: number;
}

/** What an exchange does instead of answering. */
export type Fault =
  | { kind: 'status'; status: number; retryAfter?: number; location?: string }
  | { kind: 'text'; text: string }
  | { kind: 'json'; body: unknown }
  /** Sends this many bytes. */
  | { kind: 'huge'; bytes: number }
  | { kind: 'endless' }
  | { kind: 'silence' }
  | { kind: 'reset' };

export interface FakeExchange {
  readonly id: VenueId;
  readonly url: string;
  /** Path and query of every call. */
  readonly calls: URL[];
  markets: FakeMarket[];
  /** Multiplies every price, to simulate wrong prices. */
  factor: number;
  fault: Fault | undefined;
  now: () => number;
  /** Counts the calls whose path contains a text. */
  count(part: string): number;
  close(): Promise<void>;
}

/** Starts a fake of an exchange's public API, in the shapes of its documentation. */
export async function startFakeExchange(id: VenueId, markets: FakeMarket[], now: () => number = Date.now): Promise<FakeExchange> {
  const calls: URL[] = [];
  const server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  const fake: FakeExchange = {
    id,
    url: `http://127.0.0.1:${address.port}`,
    calls,
    markets,
    factor: 1,
    fault: undefined,
    now,
    count: (part) => calls.filter(({ pathname }) => pathname.includes(part)).length,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', fake.url);
    calls.push(url);
    if (fake.fault) {
      fail(fake.fault, request, response);
      return;
    }
    const body = DIALECTS[id](url, fake);
    response.writeHead(body === NOT_FOUND ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  }

  return fake;
}

function fail(fault: Fault, request: IncomingMessage, response: ServerResponse): void {
  if (fault.kind === 'silence') return;
  if (fault.kind === 'reset') return void request.socket.destroy();
  if (fault.kind === 'status') {
    const { status, retryAfter, location } = fault;
    response.writeHead(status, { ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }), ...(location && { location }) });
    return void response.end('{"code":-1003,"msg":"refused"}');
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  if (fault.kind === 'text') return void response.end(fault.text);
  if (fault.kind === 'json') return void response.end(JSON.stringify(fault.body));
  response.write('[');
  const chunk = Buffer.alloc(65_536, ' ');
  let left = fault.kind === 'huge' ? fault.bytes : Number.POSITIVE_INFINITY;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= chunk.length;
      // Endless answers drip, so that only a time limit ends them.
      if (fault.kind === 'endless') {
        response.write(' ');
        return void setTimeout(more, 20).unref();
      }
      if (!response.write(chunk)) return void response.once('drain', more);
    }
    if (!response.destroyed) response.end(']');
  };
  more();
}
