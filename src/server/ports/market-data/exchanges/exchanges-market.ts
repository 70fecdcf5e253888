import { type Clock, SECOND } from '#domain/clock.ts';
import type { CoinName } from '#domain/market/coin.ts';
import type { Budgets } from '#server/budgets.ts';
import type { BtcFeed } from '../demo-btc.ts';
import type { Held } from '../last-good.ts';
import type { MarketData, MarketLog, MarketSnapshot } from '../market-data.ts';
import { memo } from '../memo.ts';
import { nothingToShow } from '../nothing-to-show.ts';
import { type Answers, aged, ownAnswers } from '../shared/answers.ts';
import { createCoinCandles } from './candles.ts';
import { readCatalogue } from './catalogue.ts';
import { createKeptCandles } from './kept-candles.ts';
import { createKnownMarkets } from './known-markets.ts';
import { createMarketFigures } from './market-figures.ts';
import { createKnownPast, type PastOf } from './past/known-past.ts';
import { moneyIn, snapshotOf, unpriced } from './snapshot.ts';
import type { StoredFigures } from './stored-figures.ts';
import type { VenueId } from './venue.ts';
import { createVenueClient } from './venue-client.ts';
import { createVenueTickers } from './venue-tickers.ts';
import { VENUES } from './venues/venues.ts';

/** The shortest time between two questions to an exchange, ms. */
const SHORTEST_LIFE = 10 * SECOND;

interface Options {
  clock: Clock;
  /** Counts the calls to each exchange. */
  budgets: Budgets;
  /** Lifetime of figures, ms; at least ten seconds. */
  tickMs: number;
  /** Other addresses of exchanges. With any, exchanges without one are not asked. */
  urls: Readonly<Partial<Record<VenueId, string>>>;
  /** The bots' BTC prices. */
  btc?: BtcFeed | undefined;
  /** Where answers are kept; by default in this process. */
  answers?: Answers;
  /** The shortest lifetime of figures, and the time limit of an exchange's answer, ms; tests shorten them. */
  shortestLife?: number;
  patience?: number;
  /** How long an answer waits for further exchanges, ms; tests on a busy machine wait for all. */
  wait?: number | undefined;
  /** Pause between two series of candles that are read for lines and changes, ms. */
  pace?: number;
}

/** Reads the market from the public APIs of several exchanges, without a key. */
export function createExchangesMarket(options: Options): MarketData {
  const { clock, budgets, tickMs, urls, btc, answers = ownAnswers(), shortestLife = SHORTEST_LIFE, patience, wait, pace } = options;
  const catalogue = readCatalogue();
  let log: MarketLog | undefined;
  const isOwnUrls = Object.keys(urls).length > 0;
  const venues = VENUES.filter(({ id }) => !isOwnUrls || urls[id]).map((venue) => {
    const client = createVenueClient({ venue, clock, budgets, url: urls[venue.id], ...(patience !== undefined && { patience }) });
    const markets = createKnownMarkets(client, { catalogue, clock });
    return { client, markets, tickers: createVenueTickers({ client, markets, clock, report: (error) => reportVenue(venue.name, error) }) };
  });

  function reportVenue(exchange: string, error: unknown): void {
    if (error === undefined) log?.info({ exchange }, 'an exchange gives prices again');
    else log?.warn({ exchange, why: error instanceof Error ? error.message : 'unknown' }, 'an exchange gives no prices');
  }

  const figures = answers.kind<Held<StoredFigures>>('exchanges', {
    max: 1,
    aged,
    origin: () =>
      createMarketFigures({
        venues: venues.map(({ tickers }) => tickers),
        clock,
        lifetime: Math.max(shortestLife, tickMs),
        btc,
        wait,
      }),
  })('');
  const byId = memo(({ coins }: StoredFigures) => new Map(coins));
  const priceOf = async (id: number): Promise<number | undefined> => {
    const held = await figures.get().catch(() => undefined);
    return held && !held.stale ? byId(held.value).get(id)?.price : undefined;
  };
  const history = createKeptCandles({ candles: createCoinCandles({ venues, clock, priceOf }), answers, clock });
  const rankedIds = async (): Promise<number[]> => (await snapshot()).coins.map(({ id }) => id);
  const past = createKnownPast({ answers, history, ids: rankedIds, clock, pace, asOf: () => figures.last()?.value.asOf ?? clock() });
  const snapshotWith = memo((find: PastOf) => memo((held: Held<StoredFigures>) => snapshotOf(held, { catalogue, past: find })));
  const snapshotFrom = (held: Held<StoredFigures>): MarketSnapshot => snapshotWith(past.current())(held);
  const namesOf = memo(({ coins }: MarketSnapshot): CoinName[] => {
    const priced = new Set(coins.map(({ id }) => id));
    return [...coins, ...catalogue.coins.filter(({ id }) => !priced.has(id)).map(unpriced)];
  });
  const facts = new Map(catalogue.coins.map((coin) => [coin.id, coin]));

  const snapshot = (): Promise<MarketSnapshot> => figures.get().then(snapshotFrom, () => Promise.reject(nothingToShow()));

  return {
    ...(answers.share && { share: answers.share }),
    logTo(to) {
      log = to;
    },
    snapshot,
    // Exchanges know no visits and no upcoming coins, so callers rank by figures.
    ranking: async () => undefined,
    async details(id) {
      const known = facts.get(id);
      if (!known) return undefined;
      const { coins, source } = await snapshot();
      return { coin: coins.find((coin) => coin.id === id) ?? unpriced(known), links: known.links, source };
    },
    searchMap: async () => namesOf(await snapshot()),
    known() {
      const held = figures.last();
      return held ? namesOf(snapshotFrom(held)) : catalogue.coins.map(unpriced);
    },
    btcCandles: async () => undefined,
    money: () => moneyIn(figures.last()),
    history: { ...history, prices: past.prices },
  };
}
