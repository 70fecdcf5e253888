import { type Clock, MINUTE } from '#domain/clock.ts';
import type { CoinName } from '#domain/market/coin.ts';
import type { Budgets } from '#server/budgets.ts';
import type { MarketData, MarketSnapshot } from '../market-data.ts';
import { memo } from '../memo.ts';
import { nothingToShow } from '../nothing-to-show.ts';
import { type Answers, ownAnswers } from '../shared/answers.ts';
import { createCoins } from './coins.ts';
import { createCredits } from './credits.ts';
import { createDetails } from './details.ts';
import { createFailureLog } from './failure-log.ts';
import { sourceOf, unpriced } from './listing.ts';
import { createLists, type Names, RANKED } from './lists.ts';
import type { MapRow } from './rows.ts';
import { createUpstream, REQUEST_TIMEOUT_MS } from './upstream.ts';

/** The provider updates its figures once a minute. */
const SHORTEST_LIFE = MINUTE;

interface Options {
  key: string;
  baseUrl: string;
  clock: Clock;
  /** Counts the credits that calls cost. */
  budgets: Budgets;
  /** Credits per UTC day, shared by all processes. */
  dailyCredits: number;
  /** Cache lifetime of figures, ms; at least one minute. */
  tickMs: number;
  /** Where answers are kept; by default in this process. */
  answers?: Answers;
  /** The shortest lifetime of figures, ms; tests shorten it. */
  shortestLife?: number;
  /** Request timeout, ms. */
  patience?: number;
}

/** Reads market data from CoinMarketCap. Each answer is cached for its own time, and longer while the provider fails. */
export function createCoinMarketCap(options: Options): MarketData {
  const { key, baseUrl, clock, tickMs, answers = ownAnswers(), shortestLife = SHORTEST_LIFE, patience = REQUEST_TIMEOUT_MS } = options;
  const credits = createCredits({ budgets: options.budgets, daily: options.dailyCredits, clock });
  const upstream = createUpstream({ key, baseUrl, clock, credits, patience });
  const figuresLife = Math.max(shortestLife, tickMs);
  const failures = createFailureLog();
  const lists = createLists({ upstream, answers, clock, figuresLife, failures });
  const { market, ranked, search, untracked } = lists;
  const upcoming = memo(
    ({ value, stale }: { value: Names; stale: boolean }): MarketSnapshot => ({
      source: sourceOf(value.asOf, stale),
      coins: comingFirst(value.rows).map(({ id, name, symbol, rank }) => unpriced({ id, name, symbol, rank })),
    }),
  );
  const comingSnapshot = () => untracked.get().then(upcoming, () => undefined);
  const searched = memo(({ value }: { value: Names }): CoinName[] => byRank(value.rows));

  const coin = createCoins({ upstream, answers, clock, lifetime: figuresLife, logFailure: failures.logFailure });
  const details = createDetails({ lists, coin, clock, upcoming: comingSnapshot });

  const snapshot = () => market.get().catch(() => Promise.reject(nothingToShow()));

  return {
    ...(answers.share && { share: answers.share }),
    logTo(to) {
      failures.logTo(to);
      upstream.logTo(to);
    },
    snapshot,
    async ranking(type) {
      // On failure, for example on a plan without the endpoint, `snapshot` decides the order. The log has the reason.
      if (type === 3) return comingSnapshot();
      return ranked
        .get(type)
        ?.get()
        .catch(() => undefined);
    },
    details,
    async searchMap() {
      const held = await search.get().catch(() => undefined);
      return held ? searched(held) : (await snapshot()).coins;
    },
    known() {
      const held = search.last();
      return held ? searched(held) : (market.last()?.coins ?? []);
    },
    // No history, because few plans include it.
    btcCandles: async () => undefined,
  };
}

/** Sorts coins that never had a price first, then by newest id. */
const comingFirst = (rows: readonly MapRow[]): MapRow[] =>
  [...rows]
    .sort((a, b) => Number(a.first_historical_data !== null) - Number(b.first_historical_data !== null) || b.id - a.id)
    .slice(0, RANKED);

const byRank = (rows: readonly MapRow[]): CoinName[] =>
  [...rows]
    .sort((a, b) => (a.rank ?? Number.POSITIVE_INFINITY) - (b.rank ?? Number.POSITIVE_INFINITY) || a.id - b.id)
    .map(({ id, name, symbol, rank }) => ({ id, name, symbol, rank }));
