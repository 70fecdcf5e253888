import type * as z from 'zod/mini';
import { call } from '#client/platform/api/call.ts';
import { changedCoins } from '#client/platform/cache/changed-coins.ts';
import type { Resource } from '#client/platform/cache/resource.ts';
import type { UserTables } from '#client/platform/db/user-db.ts';
import type { CryptoItem, Currency, MarketSource } from '#contract/market/market.ts';
import type { WatchBody, watchlistAnswer } from '#contract/market/watchlist.ts';
import { fold } from '#domain/text.ts';
import { type HeartCommand, isMove } from './heart-commands.ts';
import { ANSWERED, readWatched, storeHearts } from './watched.ts';

export interface WatchlistParams {
  userId: string;
  limit: number;
  /** Not part of the key: every answer has both currencies. */
  convert: Currency;
  /** Matches names and symbols. */
  search: string;
}

export interface WatchlistData {
  /** Matching coins up to the limit, in the user's order. */
  coins: CryptoItem[];
  /** Number of watched coins, whatever the search. */
  total: number;
  source: MarketSource | undefined;
  /** When the server last sent the watchlist, ms UTC. */
  savedAt: number | undefined;
}

const answer = () => import('#contract/market/watchlist.ts').then(({ watchlistAnswer }) => watchlistAnswer);

interface Wire extends z.infer<typeof watchlistAnswer> {
  askedAt: number;
}

/** The parameters that the page opens with. */
export const wholeWatchlist = (userId: string): WatchlistParams => ({ userId, limit: 100, convert: 'USD', search: '' });

/** The watchlist. Searches run on the device; the server adds figures, and coins that the device does not have. */
export const watchlistResource: Resource<WatchlistParams, Wire, WatchlistData> = {
  key: ({ limit, search }) => `${ANSWERED}/${limit}/${search}`,

  async fetch({ userId, limit, convert, search }) {
    const askedAt = Date.now();
    const body = { limit, convert, search, page: 1 };
    return { ...(await call(`/watchlist/${userId}`, { method: 'POST', body, answer })), askedAt };
  },

  async write(db, params, { data, source, ids, askedAt }) {
    await db.coins.bulkPut(await changedCoins(db, data));
    await storeHearts(db, ids, askedAt);
    await db.coinLists.put({ key: ANSWERED, ids, source });
    await db.stamps.put({ key: ANSWERED, savedAt: askedAt });
    await deleteOldSearches(db, watchlistResource.key(params));
  },

  async read(db, { limit, search }) {
    const { ids, savedAt, commands } = await readWatched(db);
    if (savedAt === undefined && ids.length === 0) return undefined;
    const [rows, list] = await Promise.all([db.coins.bulkGet(ids), db.coinLists.get(ANSWERED)]);
    const needle = fold(search);
    const coins = ids
      .flatMap((id, at) => rows[at] ?? asNamed(commands, id) ?? [])
      .filter(({ name, symbol }) => fold(`${name}\n${symbol}`).includes(needle))
      .slice(0, limit);
    return { coins, total: ids.length, source: list?.source, savedAt };
  },
};

/** Returns a coin that no list has stored yet, named by its waiting change. */
function asNamed(commands: HeartCommand[], id: number): CryptoItem | undefined {
  const changes = commands.map(({ body }) => body);
  const body = changes.findLast((change): change is WatchBody => change.cryptoId === id && !isMove(change));
  return body && { id, symbol: body.cryptoSymbol, name: body.cryptoName, rank: null, quote: {} };
}

/** Deletes the stamps of earlier searches. Otherwise each typed text would leave one. */
async function deleteOldSearches(db: UserTables, current: string): Promise<void> {
  const stamps = db.stamps.where('key').startsWith(`${ANSWERED}/`);
  await stamps.filter(({ key }) => key !== current && /^watchlist\/\d+\/./s.test(key)).delete();
}
