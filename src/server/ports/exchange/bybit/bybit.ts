import type { Clock } from '#domain/clock.ts';
import type { AddressBudget } from '../address-budget.ts';
import type { Exchange, Keys } from '../exchange.ts';
import { brieflyKept } from '../live/briefly-kept.ts';
import { createConnections } from '../live/connection.ts';
import { createDailyTerms } from '../live/daily-terms.ts';
import { createLiveFeed } from '../live/feed.ts';
import type { ApiUrls } from '../live/home-search.ts';
import { CAUTIOUS_TIERS } from '../live/risk-tiers.ts';
import { createAccount } from './account.ts';
import { createPageReader } from './candle-pages.ts';
import { streamUrl } from './hosts.ts';
import { createKeyCheck } from './key-check.ts';
import { marketName } from './market.ts';
import { PROTOCOL } from './protocol.ts';
import { readPerpetual } from './public-market/ticker.ts';
import { createStreams } from './streams/private-streams.ts';
import type { StreamTiming } from './streams/stream-socket.ts';
import { readSteps, readTiers } from './terms.ts';

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
  streams?: { dials: AddressBudget; patience?: StreamTiming };
  /** Length of the feed's candles, ms. Bybit must support it. */
  interval: number;
  /** Receives errors that no caller waits for. */
  report: (error: unknown) => void;
  /** Timeout of a request, and the longest wait for a rate limit, ms. */
  patience?: { answer: number; limit: number };
}

export const TIMEOUTS_MS = { answer: 10_000, limit: 3_000 };

/** Opens Bybit's BTC/USDT perpetual through version 5 of its API. Sends no request until a caller needs one. */
export function createBybit(options: BybitOptions): Exchange {
  const { testnet, clock, budget, interval, referral, report, urls, isDemo = false, streams, patience = TIMEOUTS_MS } = options;
  const connections = createConnections({ protocol: PROTOCOL, urls, clock, budget, patience });
  const watching =
    streams && createStreams({ ...streams, now: connections.now, urlOf: (keys) => streamUrl(connections.of(keys).home(), 'private') });
  const { now } = connections;
  const steps = createDailyTerms({ read: () => readSteps(connections), now, report });
  const tiers = createDailyTerms({ read: () => readTiers(connections), fallback: CAUTIOUS_TIERS, now, report });
  const terms = async () => ({ ...(await steps()), tiers: await tiers() });
  const feed = createLiveFeed({ now, pages: createPageReader(connections), source: marketName(testnet), interval, report });
  const { code, affiliate } = referral;
  const proofs = { ...(code !== undefined && { code }), ...(affiliate && { affiliate: connections.of(affiliate) }) };
  return {
    kind: 'bybit',
    paper: testnet,
    feed,
    terms,
    perpetual: brieflyKept(() => readPerpetual(connections, marketName(testnet)), now),
    account(keys) {
      const connection = connections.of(keys);
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
