import { type CryptoItem, type Currency, type MarketSource, marketListAnswer } from '../../../contract/market';
import { call } from '../../platform/api/call';
import type { Resource } from '../../platform/cache/resource';
import { changedCoins } from './changed-coins';

export interface CoinListParams {
  limit: number;
  convert: Currency;
  /** Ranking type, 1 to 6 (contract/market). */
  sortType: number;
}

export interface CoinListData {
  coins: CryptoItem[];
  source: MarketSource;
}

interface Answer {
  data: CryptoItem[];
  source: MarketSource;
}

/** What the list opens with (spec §4). */
export const TOP_100: CoinListParams = { limit: 100, convert: 'USD', sortType: 1 };

/** A ranking of coins: the order is the list's own, the figures are shared by every list and page that shows the coin. */
export const coinListResource: Resource<CoinListParams, Answer, CoinListData> = {
  key: ({ limit, convert, sortType }) => `coins/${convert}/${sortType}/${limit}`,

  async fetch(params) {
    const { data } = await call('/coin-market/get-data', { method: 'POST', body: params, answer: marketListAnswer });
    return data;
  },

  async write(db, params, { data: coins, source }) {
    await db.coins.bulkPut(await changedCoins(db, coins));
    await db.coinLists.put({ key: coinListResource.key(params), ids: coins.map(({ id }) => id), source });
  },

  async read(db, params) {
    const list = await db.coinLists.get(coinListResource.key(params));
    if (!list) return undefined;
    const coins = await db.coins.bulkGet(list.ids);
    return { coins: coins.filter((coin) => coin !== undefined), source: list.source };
  },
};
