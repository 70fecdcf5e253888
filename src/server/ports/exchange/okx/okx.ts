import type { Clock } from '#domain/clock.ts';
import type { AddressBudget } from '../address-budget.ts';
import type { Exchange, Keys } from '../exchange.ts';
import { brieflyKept } from '../live/briefly-kept.ts';
import { createConnections } from '../live/connection.ts';
import { createDailyTerms } from '../live/daily-terms.ts';
import { createLiveFeed } from '../live/feed.ts';
import { CAUTIOUS_TIERS } from '../live/risk-tiers.ts';
import { createAccount } from './account.ts';
import { createPageReader } from './candle-pages.ts';
import { createCauses } from './fills.ts';
import { createKeyCheck } from './key-check.ts';
import { MARKET } from './market.ts';
import { readPerpetual } from './perpetual.ts';
import { PROTOCOL } from './protocol.ts';
import { readSteps, readTiers } from './terms.ts';

export interface OkxOptions {
  /** OKX's demo trading: no real money. */
  demo: boolean;
  /** Address of the API without a trailing slash. */
  url: string;
  /** The operator's key, which knows who registered through us; without it no user counts as referred. */
  affiliate: Keys | undefined;
  clock: Clock;
  /** The requests that this server's network address may send. */
  budget: AddressBudget;
  /** Length of the feed's candles, ms. OKX must support it. */
  interval: number;
  /** Receives errors that no caller waits for. */
  report: (error: unknown) => void;
  /** Timeout of a request, and the longest wait for a rate limit, ms. */
  patience?: { answer: number; limit: number };
}

const TIMEOUTS_MS = { answer: 10_000, limit: 3_000 };

/** Opens OKX's BTC/USDT perpetual through version 5 of its API. Sends no request, and loads no ccxt, until a caller needs one. */
export function createOkx({ demo, url, affiliate, clock, budget, interval, report, patience = TIMEOUTS_MS }: OkxOptions): Exchange {
  const headers: Record<string, string> = demo ? { 'x-simulated-trading': '1' } : {};
  const connections = createConnections({ protocol: PROTOCOL, urls: [url], headers, clock, budget, patience });
  const { now } = connections;
  const steps = createDailyTerms({ read: () => readSteps(connections), now, report });
  const readOurTiers = async () => readTiers(connections, await steps());
  const tiers = createDailyTerms({ read: readOurTiers, fallback: CAUTIOUS_TIERS, now, report });
  const terms = async () => ({ ...(await steps()), tiers: await tiers() });
  const source = `OKX ${MARKET.instId} perpetual${demo ? ', demo trading' : ''}`;
  const feed = createLiveFeed({ now, pages: createPageReader(connections), source, interval, report });
  const causes = createCauses();
  return {
    kind: 'okx',
    paper: demo,
    feed,
    terms,
    perpetual: brieflyKept(() => readPerpetual(connections, source), now),
    account(keys) {
      const connection = connections.of(keys);
      const check = createKeyCheck({ connection, affiliate: affiliate && connections.of(affiliate), terms });
      return createAccount({ connection, now, terms, causes, check });
    },
    close: async () => feed.close(),
  };
}
