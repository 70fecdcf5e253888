import type * as z from 'zod/mini';
import { call } from '#client/platform/api/call.ts';
import { changedCoins } from '#client/platform/cache/changed-coins.ts';
import type { Resource } from '#client/platform/cache/resource.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import type { CryptoItem, Currency, MarketSource } from '#contract/market/market.ts';
import { watchlistAnswer } from '#contract/market/watchlist.ts';
import { fold } from '#domain/text.ts';
import type { HeartCommand } from './heart-commands.ts';
import { ANSWERED, readWatched, storeHearts } from './watched.ts';

export interface WatchlistParams {
  userId: string;
  limit: number;
  /** Both currencies are in every answer, so it makes no other list. */
  convert: Currency;
  /** In names and symbols. */
  search: string;
}

export interface WatchlistData {
  /** As many as were asked for of those that match, the newest heart first. */
  coins: CryptoItem[];
  /** How many coins have a heart, whatever was searched. */
  total: number;
  source: MarketSource | undefined;
  /** When the server last told the hearts, ms. */
  savedAt: number | undefined;
}

interface Wire extends z.infer<typeof watchlistAnswer> {
  askedAt: number;
}

/** What the page opens with. */
export const wholeWatchlist = (userId: string): WatchlistParams => ({ userId, limit: 100, convert: 'USD', search: '' });

/** The watchlist. What matches is found on the device; the server is asked for figures, and for coins that are not here. */
export const watchlistResource: Resource<WatchlistParams, Wire, WatchlistData> = {
  key: ({ limit, search }) => `${ANSWERED}/${limit}/${search}`,

  async fetch({ userId, limit, convert, search }) {
    const askedAt = Date.now();
    const body = { limit, convert, search, page: 1 };
    const answer = await call(`/watchlist/${userId}`, { method: 'POST', body, answer: watchlistAnswer });
    return { ...answer, askedAt };
  },

  async write(db, params, { data, source, ids, askedAt }) {
    await db.coins.bulkPut(await changedCoins(db, data));
    await storeHearts(db, ids, askedAt);
    await db.coinLists.put({ key: ANSWERED, ids, source });
    await db.stamps.put({ key: ANSWERED, savedAt: askedAt });
    await forgetSearches(db, watchlistResource.key(params));
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

/** A coin that no list has shown yet, under the name its heart was given by. */
function asNamed(commands: HeartCommand[], id: number): CryptoItem | undefined {
  const body = commands.findLast(({ body: { cryptoId } }) => cryptoId === id)?.body;
  return body && { id, symbol: body.cryptoSymbol, name: body.cryptoName, rank: null, quote: {} };
}

/** Every text that was ever typed would leave a stamp: only the last one's is kept. */
async function forgetSearches(db: UserDb, current: string): Promise<void> {
  const stamps = db.stamps.where('key').startsWith(`${ANSWERED}/`);
  await stamps.filter(({ key }) => key !== current && /^watchlist\/\d+\/./s.test(key)).delete();
}
