import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { answerOf, type Body } from './coinmarketcap-answers.ts';
import type { World } from './coinmarketcap-world.ts';

/** Replaces an answer; `undefined` keeps it. */
export type Trouble = (path: string, healthy: Body) => Reply | undefined | 'silence';

interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** A string is sent as it is. */
  body: unknown;
}

export interface FakeCoinMarketCap {
  readonly url: string;
  /** Path and query of every call. */
  readonly calls: URL[];
  /** Counts the calls of a path, optionally in one currency. */
  count(path: string, convert?: string): number;
  world: World;
  trouble: Trouble | undefined;
  /** `status.timestamp` of the answers, in ms UTC. */
  time: number;
  close(): Promise<void>;
}

/** Starts a fake of CoinMarketCap's API that enforces its plan limits and input checks. */
export async function startCoinMarketCap(world: World, time: number): Promise<FakeCoinMarketCap> {
  const calls: URL[] = [];
  const server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  const fake: FakeCoinMarketCap = {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    count: (path, convert) =>
      calls.filter((url) => url.pathname.endsWith(path) && (!convert || url.searchParams.get('convert') === convert)).length,
    world,
    trouble: undefined,
    time,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', fake.url);
    calls.push(url);
    const healthy = answerOf(url, request.headers['x-cmc_pro_api_key'], fake.world, fake.time);
    const reply: Reply | 'silence' = fake.trouble?.(url.pathname, healthy.body) ?? healthy;
    if (reply === 'silence') return;
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  }

  return fake;
}
