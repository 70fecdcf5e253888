import { call } from '#client/platform/api/call.ts';
import { changedCoins } from '#client/platform/cache/changed-coins.ts';
import type { Resource } from '#client/platform/cache/resource.ts';
import type { CoinDetailsRow } from '#client/platform/db/user-db.ts';
import { type CryptoItem, cryptoDetailsAnswer, type MarketSource } from '#contract/market/market.ts';
import { coinListResource, TOP_100 } from '../list/coin-list-resource.ts';

export interface CoinDetailsParams {
  id: number;
  userId: string;
}

export interface CoinData {
  /** Name and figures, which a list may have stored before the details load. */
  coin: CryptoItem;
  /** Undefined until loaded once. */
  details: CoinDetailsRow | undefined;
  /** Where the figures come from. Undefined if only a search found this coin. */
  source: MarketSource | undefined;
  /** When the default list was stored, ms. Undefined if it does not have this coin. */
  listedAt: number | undefined;
}

/** One coin in full. It shares its row of figures with lists, so that both show the same price. */
export const coinDetailsResource: Resource<CoinDetailsParams, CoinDetailsRow, CoinData> = {
  key: ({ id }) => `coin/${id}`,

  async fetch({ id, userId }) {
    const { data } = await call(`/coin-market/get-single-data/${id}/${userId}`, { answer: cryptoDetailsAnswer });
    return data;
  },

  async write(db, _params, details) {
    await db.coinDetails.put(details);
    const { id, symbol, name, rank, quote } = details;
    await db.coins.bulkPut(await changedCoins(db, [{ id, symbol, name, rank, quote }]));
  },

  async read(db, { id }) {
    const listKey = coinListResource.key(TOP_100);
    const [coin, details, list, stamp] = await Promise.all([
      db.coins.get(id),
      db.coinDetails.get(id),
      db.coinLists.get(listKey),
      db.stamps.get(listKey),
    ]);
    const listed = list?.ids.includes(id) ? list : undefined;
    return coin && { coin, details, source: later(details?.source, listed?.source), listedAt: listed && stamp?.savedAt };
  },
};

/** Returns the later source: list and details share the figures, and the last answer wrote them. */
const later = (a: MarketSource | undefined, b: MarketSource | undefined) => (a && b ? (a.asOf > b.asOf ? a : b) : (a ?? b));
