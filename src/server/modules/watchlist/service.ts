import type { CryptoItem, MarketSource } from '#contract/market/market.ts';
import type { WatchBody, WatchlistBody } from '#contract/market/watchlist.ts';
import type { Clock } from '#domain/clock.ts';
import { NO_FIGURES } from '#domain/market/figures.ts';
import { fold } from '#domain/text.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { badRequest } from '#server/http/errors.ts';
import { findCoin } from '#server/ports/market-data/find-coin.ts';
import type { CoinName, MarketCoin, MarketData } from '#server/ports/market-data/market-data.ts';
import { countWatched, deleteWatched, insertWatched, isWatched, listWatched, type WatchedRow } from './store.ts';

const MOST_WATCHED = 500;
const DEFAULT_LIMIT = 100;

/** A heart to be set: the coin by its id, and the names it is kept under. */
type Heart = Pick<CoinName, 'id' | 'name' | 'symbol'>;

export interface WatchlistPage {
  data: CryptoItem[];
  source: MarketSource;
  /** All of the user's coins, whatever was searched. */
  ids: number[];
}

export type Watchlists = ReturnType<typeof createWatchlists>;

/** The coins a user put a heart on. Everything is reached through the user's id. */
export function createWatchlists({ db, clock, market }: { db: Db; clock: Clock; market: MarketData }) {
  return {
    isWatched: (userId: string, coinId: number): Promise<boolean> => isWatched(db, userId, coinId),

    /**
     * The coin of a heart under the provider's own names, or under those the user saw where the provider can't be asked.
     * Throws `unknown_coin` (400) for an id that the provider does not know. Asks the network, so it is no part of a transaction.
     */
    async recognise({ cryptoId: id, cryptoName, cryptoSymbol }: WatchBody): Promise<Heart> {
      const found = await findCoin(market, id);
      if (found === null) throw badRequest('unknown_coin', 'This coin is not known here.');
      return found ?? { id, name: cryptoName, symbol: cryptoSymbol };
    },

    /** Throws `watchlist_full` (400) for one too many. Adding a coin again changes nothing. */
    async add(tx: Tx, userId: string, { id: coinId, name, symbol }: Heart): Promise<void> {
      if ((await countWatched(tx, userId)) >= MOST_WATCHED && !(await isWatched(tx, userId, coinId))) {
        throw badRequest('watchlist_full', `A watchlist holds up to ${MOST_WATCHED} coins. Remove one to add another.`);
      }
      await insertWatched(tx, { userId, coinId, name, symbol, createdAt: new Date(clock()) });
    },

    remove: (tx: Tx, userId: string, coinId: number): Promise<void> => deleteWatched(tx, userId, coinId),

    /** One page of the coins whose name or symbol holds the text, whatever case and accents. */
    async page(userId: string, { limit = DEFAULT_LIMIT, page = 1, search = '' }: WatchlistBody): Promise<WatchlistPage> {
      const [rows, { coins, source }] = await Promise.all([listWatched(db, userId), market.snapshot()]);
      const listed = new Map(coins.map((coin) => [coin.id, coin]));
      const needle = fold(search.trim());
      const shown = rows
        .filter((row) => [row, listed.get(row.coinId)].some((coin) => coin && fold(`${coin.name}\n${coin.symbol}`).includes(needle)))
        .slice((page - 1) * limit, page * limit);
      const data = await Promise.all(shown.map(async (row) => item(row, listed.get(row.coinId) ?? (await outsider(row.coinId)))));
      return { data, source, ids: rows.map(({ coinId }) => coinId) };
    },
  };

  /** A coin outside the snapshot; undefined when nobody lists it any more or can say. */
  async function outsider(id: number): Promise<MarketCoin | undefined> {
    return (await market.details(id).catch(() => undefined))?.coin;
  }
}

/** A coin without figures stays in the list under the name it was added with. */
const item = ({ coinId, name, symbol }: WatchedRow, coin: MarketCoin | undefined): CryptoItem =>
  coin
    ? { id: coin.id, symbol: coin.symbol, name: coin.name, rank: coin.rank, quote: coin.quote }
    : { id: coinId, symbol, name, rank: null, quote: { USD: NO_FIGURES, BTC: NO_FIGURES } };
