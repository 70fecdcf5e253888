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
  /** Name and figures, which the list may know before the details arrive. */
  coin: CryptoItem;
  /** Undefined until they have been loaded once. */
  details: CoinDetailsRow | undefined;
  /** Of the figures; undefined when only a search knows this coin. */
  source: MarketSource | undefined;
  /** When the list that shows this coin was stored, ms; undefined when it does not. */
  listedAt: number | undefined;
}

/** One coin in full. Its figures are the row that lists share, so that list and details never show two prices. */
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

/** List and details are asked for at different times, and the later one wrote the figures. */
const later = (a: MarketSource | undefined, b: MarketSource | undefined) => (a && b ? (a.asOf > b.asOf ? a : b) : (a ?? b));
