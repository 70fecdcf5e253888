import { cleanup } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { vi } from 'vitest';
import { forgetReads } from '#client/platform/cache/memory.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { reportReachable } from '#client/platform/live/reachability.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import type { ChartCandles, DailyCandles } from '#contract/market/chart-candles.ts';
import type { CryptoDetails } from '#contract/market/coin-details.ts';
import type { CryptoItem, MarketSource } from '#contract/market/market.ts';
import type { SearchHit } from '#contract/market/search.ts';
import { HEALTH_PATH } from '#contract/paths.ts';
import { DAY, HOUR } from '#domain/clock.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { quote } from '#tests/support/market/quotes.ts';

export const source: MarketSource = { name: 'Demo snapshot of 21 Feb 2025', demo: true, asOf: '2026-11-21T10:00:00.000Z' };

export const coin = (id: number, name: string, symbol: string, more: Partial<CryptoItem> = {}): CryptoItem => ({
  id,
  symbol,
  name,
  rank: id,
  quote: { USD: quote({ price: 1000 + id, market_cap: 2_000_000, volume_24h: 50_000, percent_change_24h: 1.5 }) },
  ...more,
});

export const details = (item: CryptoItem, more: Partial<CryptoDetails> = {}): CryptoDetails => ({
  ...item,
  ucid: item.id,
  circulating_supply: null,
  total_supply: null,
  max_supply: null,
  websiteUrl: null,
  technicalDocUrl: null,
  redditUrl: null,
  githubUrl: null,
  explorerUrl: null,
  ratingScore: null,
  tags: [],
  isWatchListed: false,
  ...more,
});

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json; charset=utf-8' } });

/** Answers the market's three calls with a test's data. `offline` fails them like a lost connection. */
export class FakeMarket {
  coins: CryptoItem[] = [];
  details = new Map<number, CryptoDetails>();
  candles = new Map<number, DailyCandles>();
  hits: SearchHit[] = [];
  source = source;
  missing = { code: 'not_found', message: 'This coin is not known here.' };
  /** How many coins pass the filters; all by default. */
  matches: number | undefined;
  offline = false;
  /** Requested paths, decoded, in order, but no probes: an offline device may look for the server at any time. */
  readonly asked: string[] = [];
  /** Bodies of the list requests. */
  readonly bodies: unknown[] = [];

  fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const path = String(input).replace(/^.*\/api/, '');
    if (!path.endsWith(HEALTH_PATH)) this.asked.push(path);
    if (typeof init?.body === 'string') this.bodies.push(JSON.parse(init.body));
    if (this.offline) throw new TypeError('Failed to fetch');
    if (path === '/coin-market/get-data')
      return json(200, { status: 200, data: { data: this.coins, source: this.source, matches: this.matches ?? this.coins.length } });
    if (path.startsWith('/coin-market/global-search/')) return json(200, { status: 200, data: this.hits });
    const candles = this.candles.get(Number(/coin-market\/candles\/(\d+)/.exec(path)?.[1]));
    if (candles) return json(200, { status: 200, data: chartOf(candles, /period=(\w+)/.exec(path)?.[1]) });
    const found = this.details.get(Number(/get-single-data\/(\d+)/.exec(path)?.[1]));
    if (!found) return json(404, { status: 404, ...this.missing });
    return json(200, { status: 200, data: { ...found, source: this.source } });
  };
}

/** Answers as a market that only records days. */
function chartOf({ source, candles }: DailyCandles, period: string | undefined): ChartCandles {
  const asOf = new Date((candles.at(-1)?.time ?? 0) + DAY).toISOString();
  const known = { source, demo: false, asOf };
  if (period === '1D' || period === '7D') return { ...known, interval: HOUR, candles: [] };
  const days = { '1M': 30, '3M': 90, '1Y': 365 }[period ?? ''];
  return { ...known, interval: DAY, candles: days ? candles.slice(-days) : candles };
}

let users = 0;

/** Signs in a new user with an empty device, and starts a market that answers. */
export async function openMarket() {
  users += 1;
  const sub = `market-user-${users}`;
  const market = new FakeMarket();
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => market.fetch(input, init));
  await signIn(makeTokens({ sub }), true);
  return { market, db: userDb(sub), userId: sub };
}

export async function closeMarket() {
  cleanup(); // the pages need a user
  reportReachable(); // ends the search for the server that an offline test began
  await endSession();
  forgetReads();
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
}

/** Renders with a cache of its own, so that tests do not share answers. */
export const alone = (children: ReactNode) => (
  <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0, shouldRetryOnError: false }}>{children}</SWRConfig>
);
