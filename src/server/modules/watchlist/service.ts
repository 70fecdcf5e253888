import type { CryptoItem, MarketSource } from '#contract/market/market.ts';
import { MAX_WATCHLIST_COINS, type MoveBody, type WatchBody, type WatchlistBody } from '#contract/market/watchlist.ts';
import type { Clock } from '#domain/clock.ts';
import type { CoinName } from '#domain/market/coin.ts';
import { NO_FIGURES } from '#domain/market/figures.ts';
import { moved } from '#domain/market/watch-order.ts';
import { fold } from '#domain/text.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { together } from '#server/db/together.ts';
import { badRequest } from '#server/http/errors.ts';
import { findCoin } from '#server/ports/market-data/find-coin.ts';
import type { MarketCoin, MarketData, MarketSnapshot } from '#server/ports/market-data/market-data.ts';
import { countWatched, deleteWatched, insertWatched, isWatched, listWatched, storeOrder, type WatchedRow } from './store.ts';

const DEFAULT_LIMIT = 100;

/** A coin to watch, and the names to store it under. */
type Heart = Pick<CoinName, 'id' | 'name' | 'symbol'>;

export interface WatchlistPage {
  data: CryptoItem[];
  source: MarketSource;
  /** All of the user's coins, regardless of the search. */
  ids: number[];
}

interface Parts {
  db: Db;
  clock: Clock;
  market: MarketData;
  /** Returns a function that returns a coin's fields for a list. */
  itemsOf: (snapshot: MarketSnapshot) => Promise<(coin: MarketCoin) => CryptoItem>;
  /** Called within the transaction that adds or removes a coin. */
  onAdded: (tx: Tx, userId: string, coinId: number) => Promise<void>;
  onRemoved: (tx: Tx, userId: string, coinId: number) => Promise<void>;
}

export type Watchlists = ReturnType<typeof createWatchlists>;

/** Manages users' watched coins. Every query includes the user's id. */
export function createWatchlists({ db, clock, market, itemsOf, onAdded, onRemoved }: Parts) {
  return {
    isWatched: (userId: string, coinId: number): Promise<boolean> => isWatched(db, userId, coinId),

    /**
     * Returns the coin with the provider's names, or with the user's when the provider is down. Throws 400 `unknown_coin`.
     * Calls the network, so call it outside transactions.
     */
    async identify({ cryptoId: id, cryptoName, cryptoSymbol }: WatchBody): Promise<Heart> {
      const found = await findCoin(market, id);
      if (found === null) throw badRequest('unknown_coin', 'This coin is not available.');
      return found ?? { id, name: cryptoName, symbol: cryptoSymbol };
    },

    /** Throws 400 `watchlist_full` beyond the limit. Adding a coin again changes nothing. */
    async add(tx: Tx, userId: string, { id: coinId, name, symbol }: Heart): Promise<void> {
      await lockUser(tx, userId);
      if ((await countWatched(tx, userId)) >= MAX_WATCHLIST_COINS && !(await isWatched(tx, userId, coinId))) {
        throw badRequest('watchlist_full', `A watchlist holds up to ${MAX_WATCHLIST_COINS} coins. Remove one to add another.`);
      }
      await together(insertWatched(tx, { userId, coinId, name, symbol, createdAt: new Date(clock()) }), onAdded(tx, userId, coinId));
    },

    async remove(tx: Tx, userId: string, coinId: number): Promise<void> {
      // An alert for the whole watchlist that is stored at this moment watches this coin too.
      await lockUser(tx, userId);
      await together(deleteWatched(tx, userId, coinId), onRemoved(tx, userId, coinId));
    },

    /** Moves a coin, and returns the new order. Changes nothing if either coin is not in the list. */
    async move(tx: Tx, userId: string, { cryptoId, beforeId }: MoveBody): Promise<number[]> {
      await lockUser(tx, userId);
      const before = (await listWatched(tx, userId)).map(({ coinId }) => coinId);
      const ids = moved(before, cryptoId, beforeId);
      if (ids !== before) await storeOrder(tx, userId, ids);
      return ids;
    },

    /** Returns the ids of the user's coins in their order. */
    order: async (tx: Tx, userId: string): Promise<number[]> => (await listWatched(tx, userId)).map(({ coinId }) => coinId),

    /** Returns one page of the coins whose name or symbol contains the text, ignoring case and accents. */
    async page(userId: string, { limit = DEFAULT_LIMIT, page = 1, search = '' }: WatchlistBody): Promise<WatchlistPage> {
      const [rows, snapshot] = await Promise.all([listWatched(db, userId), market.snapshot()]);
      const itemOf = await itemsOf(snapshot);
      const { coins, source } = snapshot;
      const listed = new Map(coins.map((coin) => [coin.id, coin]));
      const needle = fold(search.trim());
      const shown = rows
        .filter((row) => [row, listed.get(row.coinId)].some((coin) => coin && fold(`${coin.name}\n${coin.symbol}`).includes(needle)))
        .slice((page - 1) * limit, page * limit);
      const data = await Promise.all(
        shown.map(async (row) => {
          const coin = listed.get(row.coinId) ?? (await findUnlisted(row.coinId));
          return coin ? itemOf(coin) : unpriced(row);
        }),
      );
      return { data, source, ids: rows.map(({ coinId }) => coinId) };
    },
  };

  /** Returns a coin outside the snapshot; undefined when the provider does not list it or is down. */
  async function findUnlisted(id: number): Promise<MarketCoin | undefined> {
    return (await market.details(id).catch(() => undefined))?.coin;
  }
}

/** A coin without prices stays in the list under its stored name. */
const unpriced = ({ coinId, name, symbol }: WatchedRow): CryptoItem => ({
  id: coinId,
  symbol,
  name,
  rank: null,
  quote: { USD: NO_FIGURES, BTC: NO_FIGURES },
});
