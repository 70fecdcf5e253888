import type { Clock } from '#domain/clock.ts';
import type { AddressBudget } from '../address-budget.ts';
import type { Exchange, Keys } from '../exchange.ts';
import { createAccount } from './account.ts';
import { createConnections } from './connection.ts';
import { createBybitFeed } from './feed.ts';
import { type ApiUrls, streamUrl } from './hosts.ts';
import { createKeyCheck } from './key-check.ts';
import { MARKET } from './market.ts';
import { createStreams, type StreamPatience } from './streams.ts';
import { createTerms } from './terms.ts';

export interface BybitOptions {
  /** Bybit's test network: no real money. */
  testnet: boolean;
  /** Addresses of the API without a trailing slash, the one in use first. Keys of other sites are known at one of the others. */
  urls: ApiUrls;
  /** Bybit's demo accounts: no real money. They lack the call that describes a key. */
  isDemo?: boolean;
  /** How the key check recognizes our referrals; at least one of the two. */
  referral: { code?: string; affiliate?: Keys };
  clock: Clock;
  /** The requests that this server's network address may send. */
  budget: AddressBudget;
  /** The private streams; without them, requests alone show an account. */
  streams?: { dials: AddressBudget; patience?: StreamPatience };
  /** Length of the feed's candles, ms. Bybit must support it. */
  interval: number;
  /** Receives errors that no caller waits for. */
  report: (error: unknown) => void;
  /** Timeout of a request, and the longest wait for a rate limit, ms. */
  patience?: { answer: number; limit: number };
}

const PATIENCE = { answer: 10_000, limit: 3_000 };

/** Opens Bybit's BTC/USDT perpetual through version 5 of its API. Sends no request until a caller needs one. */
export async function createBybit(options: BybitOptions): Promise<Exchange> {
  const { testnet, clock, budget, interval, referral, report, urls, isDemo = false, streams, patience = PATIENCE } = options;
  const connections = await createConnections({ urls, clock, budget, patience });
  const source = `Bybit ${MARKET.symbol} perpetual${testnet ? ', test network' : ''}`;
  const watching = streams && createStreams({ ...streams, now: connections.now, urlOf: (keys) => streamUrl(connections.of(keys).home()) });
  const terms = createTerms({ connections, report });
  const feed = createBybitFeed({ connections, source, interval, report });
  const { code, affiliate } = referral;
  const proofs = { ...(code !== undefined && { code }), ...(affiliate && { affiliate: connections.of(affiliate) }) };
  return {
    kind: 'bybit',
    paper: testnet,
    feed,
    terms,
    account(keys) {
      const connection = connections.of(keys);
      const { now } = connections;
      return createAccount({
        connection,
        now,
        terms,
        check: createKeyCheck({ connection, demoKey: isDemo ? keys.key : undefined, referral: proofs, now }),
      });
    },
    ...(watching && { watch: watching.watch }),
    async close() {
      watching?.close();
      feed.close();
    },
  };
}
