import type { Currency } from '#contract/market/market.ts';
import type { Clock } from '#domain/clock.ts';
import { NO_FIGURES } from '#domain/market/figures.ts';
import { type Cached, type Held, lastGood, type Origin } from '../last-good.ts';
import type { MarketCoin, MarketSnapshot } from '../market-data.ts';
import type { CoinRow } from './rows.ts';

/** Name of the data source, shown to users. */
const PROVIDER = 'CoinMarketCap';

/** An answer in one currency. */
export interface Priced {
  rows: readonly CoinRow[];
  /** ms UTC. */
  asOf: number;
}

/** Coins with figures in both currencies. `get` rejects when the provider never answered for either currency. */
export type Listing = Cached<MarketSnapshot>;

interface Options {
  ask: (currency: Currency) => Promise<Priced>;
  lifetime: number;
  clock: Clock;
  onFailure: (error: unknown, instead: Held<Priced> | undefined) => void;
}

/** Requests, caches and expires each currency separately, because cheaper plans allow one currency per call. */
export function createListing({ ask, ...rest }: Options): Origin<MarketSnapshot> {
  const dollars = lastGood({ ask: () => ask('USD'), ...rest });
  const bitcoins = lastGood({ ask: () => ask('BTC'), ...rest });
  let joined: { usd: Held<Priced> | undefined; btc: Held<Priced> | undefined; snapshot: MarketSnapshot } | undefined;

  /** Returns the same snapshot for the same two answers. */
  function join(usd: Held<Priced> | undefined, btc: Held<Priced> | undefined): MarketSnapshot | undefined {
    if (!usd && !btc) return undefined;
    if (joined?.usd !== usd || joined?.btc !== btc || !joined) joined = { usd, btc, snapshot: snapshotOf(usd, btc) };
    return joined.snapshot;
  }

  return {
    async get() {
      const [usd, btc] = await Promise.allSettled([dollars.get(), bitcoins.get()]);
      const snapshot = join(fulfilled(usd), fulfilled(btc));
      if (!snapshot) throw (usd as PromiseRejectedResult).reason;
      return snapshot;
    },
    last: () => join(dollars.last(), bitcoins.last()),
    async fresh() {
      const [usd, btc] = await Promise.all([dollars.fresh(), bitcoins.fresh()]);
      return usd && btc && join(usd, btc);
    },
    left: () => Math.min(dollars.left(), bitcoins.left()),
  };
}

const fulfilled = <T>(result: PromiseSettledResult<T>): T | undefined => (result.status === 'fulfilled' ? result.value : undefined);

/** Joins both currencies. A missing currency leaves its figures unknown; the app shows the other currency or a dash. */
function snapshotOf(usd: Held<Priced> | undefined, btc: Held<Priced> | undefined): MarketSnapshot {
  const bitcoinFigures = new Map(btc?.value.rows.map((row) => [row.id, row.figures]));
  const rows = usd ?? btc;
  const coins = (rows?.value.rows ?? []).map((row) =>
    coinOf(row, { USD: usd ? row.figures : NO_FIGURES, BTC: bitcoinFigures.get(row.id) ?? NO_FIGURES }),
  );
  const asOf = Math.min(...[usd, btc].map((held) => held?.value.asOf ?? Number.POSITIVE_INFINITY));
  return { source: sourceOf(asOf, !usd || !btc || usd.stale || btc.stale), coins };
}

const coinOf = (row: CoinRow, quote: MarketCoin['quote']): MarketCoin => ({
  id: row.id,
  name: row.name,
  symbol: row.symbol,
  rank: row.cmc_rank,
  dateAdded: row.date_added ?? '',
  circulatingSupply: row.circulating_supply,
  totalSupply: row.total_supply,
  maxSupply: row.max_supply,
  tags: row.tags ?? [],
  quote,
});

/** Returns a snapshot that says that it is stale. */
export const agedSnapshot = ({ source, coins }: MarketSnapshot): MarketSnapshot => ({ source: { ...source, stale: true }, coins });

/** Returns a coin without figures. */
export const unpriced = (coin: { id: number; name: string; symbol: string; rank: number | null }): MarketCoin => ({
  ...coin,
  dateAdded: '',
  circulatingSupply: null,
  totalSupply: null,
  maxSupply: null,
  tags: [],
  quote: { USD: NO_FIGURES, BTC: NO_FIGURES },
});

/** `asOf` in ms UTC. */
export const sourceOf = (asOf: number, stale: boolean): MarketSnapshot['source'] => ({
  name: PROVIDER,
  demo: false,
  asOf: new Date(asOf).toISOString(),
  ...(stale && { stale }),
});
