import type { Currency } from '#contract/market/market.ts';
import { type Clock, DAY } from '#domain/clock.ts';
import { type Cached, type Held, lastGood } from '../last-good.ts';
import { type Answers, aged } from '../shared/answers.ts';
import type { Price } from './credits.ts';
import type { FailureLog } from './failure-log.ts';
import { agedSnapshot, createListing, type Listing, type Priced } from './listing.ts';
import { type MapRow, readCoins, readNames } from './rows.ts';
import type { Upstream } from './upstream.ts';

/** Coins in the market list. The provider charges one credit per 200 coins. */
const LISTED = 600;
/** Coins of a ranking. */
export const RANKED = 200;
/** Coins per credit. */
const COINS_A_CREDIT = 200;
const NAMES_A_PAGE = 5000;
const MAX_PAGES = 6;
const V1 = '/v1/cryptocurrency';

export interface Names {
  rows: readonly MapRow[];
  asOf: number;
}

interface Parts {
  upstream: Upstream;
  answers: Answers;
  clock: Clock;
  /** Lifetime of figures, ms. */
  figuresLife: number;
  failures: FailureLog;
}

/** The provider's lists, each with its own lifetime. */
export interface Lists {
  market: Listing;
  /** Rankings by type. Types 1 and 6 come from `market`: 1 by cap, 6 by the layer 1 tag, because no endpoint ranks chains. */
  ranked: ReadonlyMap<number, Listing>;
  /** Names of all coins with figures. */
  search: Cached<Held<Names>>;
  /** Coins that the provider knows but does not track yet, without figures: the closest to upcoming ones, which no endpoint lists. */
  untracked: Cached<Held<Names>>;
}

export function createLists(parts: Parts): Lists {
  const limit = String(RANKED);
  const latest = `${V1}/listings/latest`;
  const byCap = { limit: String(LISTED), sort: 'market_cap', sort_dir: 'desc' };
  const byDate = { limit, sort: 'date_added', sort_dir: 'desc' };
  return {
    market: createPricedList(parts, 'market', latest, byCap),
    search: createNames(parts, 'map', { listing_status: 'active', sort: 'cmc_rank' }),
    untracked: createNames(parts, 'upcoming', { listing_status: 'untracked,inactive', sort: 'id' }),
    ranked: new Map([
      [2, createPricedList(parts, 'trending', `${V1}/trending/latest`, { limit })],
      [4, createPricedList(parts, 'most visited', `${V1}/trending/most-visited`, { limit })],
      // `/listings/new` needs a more expensive plan; every plan can sort the same coins by date.
      [5, createPricedList(parts, 'recently added', latest, byDate, newestFirst)],
    ]),
  };
}

function createPricedList(
  { upstream, answers, clock, figuresLife, failures }: Parts,
  what: string,
  path: string,
  query: { limit: string } & Record<string, string>,
  arranged = (rows: Priced['rows']) => rows,
) {
  const price: Price = { of: 'lists', credits: Math.ceil(Number(query.limit) / COINS_A_CREDIT) };
  async function ask(currency: Currency): Promise<Priced> {
    const { data, asOf } = await upstream.ask(path, { ...query, convert: currency }, price);
    return { rows: arranged(failures.readable(`${what} in ${currency}`, readCoins(data, currency))), asOf };
  }
  const origin = () => createListing({ ask, lifetime: figuresLife, clock, onFailure: failures.logFailure(what) });
  return answers.kind(what, { max: 1, aged: agedSnapshot, origin })('');
}

function createNames(parts: Parts, what: string, query: Record<string, string>): Cached<Held<Names>> {
  const { upstream, answers, clock, failures } = parts;
  async function ask(): Promise<Names> {
    const rows: MapRow[] = [];
    for (let page = 0; ; page++) {
      const start = String(page * NAMES_A_PAGE + 1);
      const { data, asOf } = await upstream.ask(`${V1}/map`, { ...query, start, limit: String(NAMES_A_PAGE) }, { of: 'lists', credits: 1 });
      const read = readNames(data);
      // The provider ends with an empty page when the previous one was full.
      rows.push(...(page > 0 && read.rows.length === 0 ? [] : failures.readable(what, read)));
      if (read.rows.length + read.dropped < NAMES_A_PAGE || page + 1 === MAX_PAGES) return { rows, asOf };
    }
  }
  const origin = () => lastGood({ ask, lifetime: DAY, clock, onFailure: failures.logFailure(what) });
  return answers.kind(what, { max: 1, aged, origin })('');
}

const newestFirst = (rows: Priced['rows']): Priced['rows'] =>
  [...rows].sort((a, b) => (Date.parse(b.date_added ?? '') || 0) - (Date.parse(a.date_added ?? '') || 0));
