import type { Currency, MarketSource } from '#contract/market/market.ts';
import { type Clock, DAY, HOUR, MINUTE } from '#domain/clock.ts';
import type { Budgets } from '#server/budgets.ts';
import { unavailable } from '#server/http/errors.ts';
import { type LastGood, lastGood } from '../last-good.ts';
import type { CoinLinks, CoinName, MarketCoin, MarketData, MarketLog, MarketSnapshot } from '../market-data.ts';
import { createCoins } from './coins.ts';
import { CreditsSpent, createCredits, type Price } from './credits.ts';
import { createListing, type Listing, type Priced, sourceOf, unpriced } from './listing.ts';
import { type MapRow, type Rows, readCoins, readNames } from './rows.ts';
import { createUpstream, PATIENCE, Unknown } from './upstream.ts';

/** Coins in the market list. The provider charges one credit per 200 coins. */
const LISTED = 600;
const RANKED = 200;
/** The provider updates its figures once a minute. */
const SHORTEST_LIFE = MINUTE;
const NAMES_A_PAGE = 5000;
const MOST_PAGES = 6;
/** Maximum number of cached unknown ids. */
const MOST_UNKNOWN = 10_000;
/** Coins per credit. */
const COINS_A_CREDIT = 200;
const NO_LINKS: CoinLinks = { website: null, technicalDoc: null, reddit: null, sourceCode: null, explorer: null };

const V1 = '/v1/cryptocurrency';

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
  /** Request timeout, ms. */
  patience?: number;
}

interface Names {
  rows: readonly MapRow[];
  asOf: number;
}

interface Found {
  coin: MarketCoin;
  source: MarketSource;
}

/** Reads market data from CoinMarketCap. Each answer is cached for its own time, and longer while the provider fails. */
export function createCoinMarketCap(options: Options): MarketData {
  const { key, baseUrl, clock, tickMs, patience = PATIENCE } = options;
  const credits = createCredits({ budgets: options.budgets, daily: options.dailyCredits, clock });
  const upstream = createUpstream({ key, baseUrl, clock, credits, patience });
  const figuresLife = Math.max(SHORTEST_LIFE, tickMs);
  let log: MarketLog | undefined;

  /** Returns a function that logs failures of one kind of request. */
  const logFailure = (what: string) => (error: unknown, instead: object | undefined) => {
    // Credits log one line per day by themselves.
    if (error instanceof CreditsSpent) return;
    const why = error instanceof Error ? error.message : 'unknown';
    log?.warn({ what, why, shown: instead ? 'the last good answer' : 'nothing' }, 'CoinMarketCap failed');
  };

  function readable<T>(what: string, { rows, dropped, why }: Rows<T>): readonly T[] {
    if (dropped > 0) log?.warn({ what, dropped, why }, 'CoinMarketCap sent entries that could not be read');
    if (rows.length === 0) throw new Error(`${what} came empty`);
    return rows;
  }

  function listing(
    what: string,
    path: string,
    query: { limit: string } & Record<string, string>,
    arranged = (rows: Priced['rows']) => rows,
  ) {
    const price: Price = { of: 'lists', credits: Math.ceil(Number(query.limit) / COINS_A_CREDIT) };
    async function ask(currency: Currency): Promise<Priced> {
      const { data, asOf } = await upstream.ask(path, { ...query, convert: currency }, price);
      return { rows: arranged(readable(`${what} in ${currency}`, readCoins(data, currency))), asOf };
    }
    return createListing({ ask, lifetime: figuresLife, clock, onFailure: logFailure(what) });
  }

  function names(what: string, query: Record<string, string>): LastGood<Names> {
    async function ask(): Promise<Names> {
      const rows: MapRow[] = [];
      for (let page = 0; ; page++) {
        const start = String(page * NAMES_A_PAGE + 1);
        const { data, asOf } = await upstream.ask(
          `${V1}/map`,
          { ...query, start, limit: String(NAMES_A_PAGE) },
          { of: 'lists', credits: 1 },
        );
        const read = readNames(data);
        // The provider ends with an empty page when the previous one was full.
        rows.push(...(page > 0 && read.rows.length === 0 ? [] : readable(what, read)));
        if (read.rows.length + read.dropped < NAMES_A_PAGE || page + 1 === MOST_PAGES) return { rows, asOf };
      }
    }
    return lastGood({ ask, lifetime: DAY, clock, onFailure: logFailure(what) });
  }

  const market = listing('market', `${V1}/listings/latest`, { limit: String(LISTED), sort: 'market_cap', sort_dir: 'desc' });
  const search = names('map', { listing_status: 'active', sort: 'cmc_rank' });
  const limit = String(RANKED);
  // Types 1 and 6 come from `market`: 1 by market cap, 6 by the layer 1 tag, because the provider's chain ranking has no
  // public endpoint.
  const ranked = new Map<number, Listing>([
    [2, listing('trending', `${V1}/trending/latest`, { limit })],
    [4, listing('most visited', `${V1}/trending/most-visited`, { limit })],
    // `/listings/new` needs a more expensive plan; every plan can sort the same coins by date.
    [5, listing('recently added', `${V1}/listings/latest`, { limit, sort: 'date_added', sort_dir: 'desc' }, newestFirst)],
  ]);
  // Type 3: no public endpoint lists upcoming coins. The closest are coins that the provider knows but does not track yet;
  // they have no figures.
  const untracked = names('upcoming', { listing_status: 'untracked,inactive', sort: 'id' });
  const upcoming = memo(
    ({ value, stale }: { value: Names; stale: boolean }): MarketSnapshot => ({
      source: sourceOf(value.asOf, stale),
      coins: comingFirst(value.rows).map(({ id, name, symbol, rank }) => unpriced({ id, name, symbol, rank })),
    }),
  );
  const comingSnapshot = () => untracked.get().then(upcoming, () => undefined);
  const searched = memo(({ value }: { value: Names }): CoinName[] => byRank(value.rows));
  const known = memo(({ value }: { value: Names }) => new Set(value.rows.map(({ id }) => id)));

  const coin = createCoins({ upstream, clock, lifetime: figuresLife, logFailure });
  const unknown = new Map<number, number>();

  /** Caches for an hour that the provider does not know an id. */
  function keepUnknown(id: number): void {
    unknown.set(id, clock() + HOUR);
    for (const oldest of unknown.keys()) {
      if (unknown.size <= MOST_UNKNOWN) break;
      unknown.delete(oldest);
    }
  }

  /** Returns whether the provider has the coin. Asking about every id that users enter would cost credits. */
  async function exists(id: number): Promise<boolean> {
    if (clock() < (unknown.get(id) ?? 0)) return false;
    unknown.delete(id);
    const held = await search.get().catch(() => undefined);
    if (!held || known(held).has(id)) return true;
    const coming = untracked.last();
    if (coming && known(coming).has(id)) return true;
    return [market, ...ranked.values()].some((list) => find(id, list.last()));
  }

  /** Returns the list's figures while they are fresh, so that both show the same and no call is paid twice. */
  async function figuresOf(id: number): Promise<Found | undefined> {
    const listed = find(id, market.fresh());
    if (listed) return listed;
    try {
      const own = find(id, await coin(id).figures.get());
      const old = find(id, market.last());
      // ISO 8601 in UTC sorts as text.
      return own?.source.stale && old && old.source.asOf > own.source.asOf ? aged(old) : own;
    } catch (error) {
      const old = find(id, market.last());
      if (old) return aged(old);
      if (error instanceof Unknown) return find(id, await comingSnapshot());
      throw nothingToShow();
    }
  }

  const snapshot = () => market.get().catch(() => Promise.reject(nothingToShow()));

  return {
    logTo(to) {
      log = to;
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
    async details(id) {
      if (!(await exists(id))) return undefined;
      const [figures, info] = await Promise.all([
        figuresOf(id),
        coin(id)
          .info.get()
          .catch(() => undefined),
      ]);
      if (!figures) {
        keepUnknown(id);
        return undefined;
      }
      const { tags, links } = info?.value ?? { tags: [], links: NO_LINKS };
      return { coin: tags.length > 0 ? { ...figures.coin, tags } : figures.coin, links, source: figures.source };
    },
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

function find(id: number, snapshot: MarketSnapshot | undefined): Found | undefined {
  const coin = snapshot?.coins.find((candidate) => candidate.id === id);
  return snapshot && coin && { coin, source: snapshot.source };
}

const aged = ({ coin, source }: Found): Found => ({ coin, source: { ...source, stale: true } });

const nothingToShow = () => unavailable('market_unavailable', 'Market data cannot be reached right now. Please try again in a moment.');

const newestFirst = (rows: Priced['rows']): Priced['rows'] =>
  [...rows].sort((a, b) => (Date.parse(b.date_added ?? '') || 0) - (Date.parse(a.date_added ?? '') || 0));

/** Sorts coins that never had a price first, then by newest id. */
const comingFirst = (rows: readonly MapRow[]): MapRow[] =>
  [...rows]
    .sort((a, b) => Number(a.first_historical_data !== null) - Number(b.first_historical_data !== null) || b.id - a.id)
    .slice(0, RANKED);

const byRank = (rows: readonly MapRow[]): CoinName[] =>
  [...rows]
    .sort((a, b) => (a.rank ?? Number.POSITIVE_INFINITY) - (b.rank ?? Number.POSITIVE_INFINITY) || a.id - b.id)
    .map(({ id, name, symbol, rank }) => ({ id, name, symbol, rank }));

/** Memoizes `make` per object, for the object's lifetime. */
function memo<From extends object, To>(make: (from: From) => To): (from: From) => To {
  const made = new WeakMap<From, To>();
  return (from) => {
    const ready = made.get(from) ?? make(from);
    made.set(from, ready);
    return ready;
  };
}
