import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { SECOND } from '#domain/clock.ts';
import { isPrivateLiteral, isPublicAddress } from './public-address.ts';

/** The address is not on the public internet. */
export class PrivateAddress extends Error {
  constructor() {
    super('The address is in a private network');
  }
}

interface Request {
  headers: Record<string, string>;
  body: string | Buffer;
  signal: AbortSignal;
  /** Also accept private networks, and `http:`. */
  isPrivateAllowed: boolean;
  /** Connections to use again. Without them, each request has its own. */
  connections?: Connections;
}

/** Connections that stay open between requests, those to private networks apart: each was checked when it was made. */
interface Connections {
  agentFor(url: URL, isPrivateAllowed: boolean): http.Agent;
  close(): void;
}

/** What is read of an answer's body to use its connection again: bytes, and for how long, ms. */
const [MAX_DRAINED, DRAIN_TIME] = [8192, SECOND];

/** How long a connection stays open without a request, ms. */
const IDLE = 10 * SECOND;

/** Creates connections to use again, at most so many to one host, and twice as many in all, a quarter of them idle. */
export function createConnections(maxSockets: number): Connections {
  const options = { keepAlive: true, timeout: IDLE, maxSockets, maxTotalSockets: 2 * maxSockets };
  const agents = [0, 1].map(() => ({ 'http:': new http.Agent(options), 'https:': new https.Agent(options) }));
  return {
    agentFor: (url, isPrivateAllowed) => {
      const of = agents[Number(isPrivateAllowed)];
      const agent = (url.protocol === 'https:' ? of?.['https:'] : of?.['http:']) ?? https.globalAgent;
      // Else a request to a new host waits until a host that has no request closes one.
      const idle = Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []);
      for (const socket of idle.slice(0, -Math.ceil(maxSockets / 2))) socket.destroy();
      return agent;
    },
    close() {
      for (const of of agents) for (const agent of Object.values(of)) agent.destroy();
    },
  };
}

/**
 * Posts to an address that a user gave, and returns the status and `Retry-After`. Reads no body and follows no redirect. The address that is
 * checked is the one that is connected to, so that a name cannot change in between.
 * @throws PrivateAddress before any byte is sent.
 */
export function postTo(
  url: URL,
  { headers, body, signal, isPrivateAllowed, connections }: Request,
): Promise<{ status: number; headers: Headers }> {
  const isAllowed = (ip: string) => isPrivateAllowed || isPublicAddress(ip);
  const checked: LookupFunction = (name, options, done) =>
    dns.lookup(name, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '');
      // One private address is enough to refuse: which of them is used is not ours to choose.
      if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address))) return done(new PrivateAddress(), '');
      if (options.all) return done(null, addresses);
      done(null, addresses[0]?.address ?? '', addresses[0]?.family);
    });
  return new Promise((resolve, reject) => {
    // Sockets do not ask for the address of a literal.
    if (!isPrivateAllowed && isPrivateLiteral(url)) return reject(new PrivateAddress());
    const { request } = url.protocol === 'https:' ? https : http;
    const sent = request(
      url,
      {
        method: 'POST',
        agent: connections?.agentFor(url, isPrivateAllowed) ?? false,
        lookup: checked,
        maxHeaderSize: 8192,
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)), ...(!connections && { connection: 'close' }) },
      },
      (response) => {
        const retryAfter = response.headers['retry-after'];
        resolve({ status: response.statusCode ?? 0, headers: new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter }) });
        if (connections) drain(response);
        else response.destroy();
      },
    );
    const end = () => sent.destroy(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    sent.on('close', () => signal.removeEventListener('abort', end));
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Reads the end of a short body. A longer or slower one ends the connection. */
function drain(response: http.IncomingMessage): void {
  let left = MAX_DRAINED;
  const late = setTimeout(() => response.destroy(), DRAIN_TIME);
  response.on('data', (part: Buffer) => {
    left -= part.length;
    if (left < 0) response.destroy();
  });
  response.on('close', () => clearTimeout(late));
  response.on('error', () => undefined);
}
