import type { Clock } from '#domain/clock.ts';
import type { Exchange, Keys } from '../exchange.ts';
import { createAccount } from './account.ts';
import { createConnections } from './connection.ts';
import { createBybitFeed } from './feed.ts';
import { createKeyCheck } from './key-check.ts';
import { MARKET, STEPS } from './market.ts';

export interface BybitOptions {
  /** Bybit's test network: no real money. */
  testnet: boolean;
  /** Takes the place of every host of Bybit's; no slash at the end. */
  baseUrl?: string;
  /** How it is told who registered through us; at least one of the two. */
  referral: { code?: string; affiliate?: Keys };
  clock: Clock;
  /** Length of the feed's candles, ms; one that Bybit has. */
  interval: number;
  /** Told of what goes wrong where nobody waits for an answer. */
  report: (error: unknown) => void;
  /** How long an answer may take, and how long a rate limit is waited for, ms. */
  patience?: { answer: number; limit: number };
}

const PATIENCE = { answer: 10_000, limit: 3_000 };

/** Bybit's perpetual of BTC in USDT, by version 5 of its interface. Nothing is asked before somebody wants to know it. */
export async function createBybit(options: BybitOptions): Promise<Exchange> {
  const { testnet, clock, interval, referral, report, baseUrl, patience = PATIENCE } = options;
  const connections = await createConnections({ testnet, clock, patience, ...(baseUrl !== undefined && { baseUrl }) });
  const source = `Bybit ${MARKET.symbol} perpetual${testnet ? ', test network' : ''}`;
  const feed = createBybitFeed({ connections, source, interval, report });
  const { code, affiliate } = referral;
  const ways = { ...(code !== undefined && { code }), ...(affiliate && { affiliate: connections.of(affiliate) }) };
  return {
    kind: 'bybit',
    paper: testnet,
    feed,
    steps: STEPS,
    // Of a new account, which has the highest.
    fees: { taker: 0.00055, maker: 0.0002 },
    account(keys) {
      const connection = connections.of(keys);
      const { now } = connections;
      return createAccount({ connection, now, check: createKeyCheck({ connection, referral: ways, now }) });
    },
    close: async () => feed.close(),
  };
}
