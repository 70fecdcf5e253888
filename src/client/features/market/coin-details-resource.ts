import { type CryptoItem, cryptoDetailsAnswer } from '../../../contract/market';
import { call } from '../../platform/api/call';
import type { Resource } from '../../platform/cache/resource';
import type { CoinDetailsRow } from '../../platform/db/user-db';
import { changedCoins } from './changed-coins';
import { coinListResource, TOP_100 } from './coin-list-resource';

export interface CoinDetailsParams {
  id: number;
  userId: string;
}

export interface CoinData {
  /** Name and figures, which the list may know before the details arrive. */
  coin: CryptoItem;
  /** Undefined until they have been loaded once. */
  details: CoinDetailsRow | undefined;
  /** While there are no details: when the list that knows this coin was stored, ms. */
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
    const [coin, details, listed] = await Promise.all([
      db.coins.get(id),
      db.coinDetails.get(id),
      db.stamps.get(coinListResource.key(TOP_100)),
    ]);
    return coin && { coin, details, listedAt: details ? undefined : listed?.savedAt };
  },
};
