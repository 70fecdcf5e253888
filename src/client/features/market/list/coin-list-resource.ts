import { call } from '#client/platform/api/call.ts';
import { changedCoins } from '#client/platform/cache/changed-coins.ts';
import type { Resource } from '#client/platform/cache/resource.ts';
import type { UserTables } from '#client/platform/db/user-db.ts';
import type { CryptoItem, MarketSource } from '#contract/market/market.ts';
import { marketListCheck } from '#contract/market/market-list-check.ts';
import { COUNTS, firstList, LIST_KEYS, type ListChoice, listKey, listRequest } from '#domain/market/list-address.ts';

/** The choices that need another list. The period does not: every answer has the changes of all periods. */
export type CoinListParams = Omit<ListChoice, 'period'>;

export interface CoinListData {
  coins: CryptoItem[];
  source: MarketSource;
  /** When the source of these coins was stored, ms: this list, or a longer one that begins with it. */
  savedAt: number | undefined;
}

export interface CoinListAnswer {
  data: CryptoItem[];
  source: MarketSource;
  /** Coins that pass the filters. The list has the first of them. */
  matches?: number | undefined;
}

const PATH = '/coin-market/get-data';
/** Lists stored on the device. */
const MAX_LISTS = 50;

/** A ranking of coins. Each list stores only its order; all lists and pages share the coins' figures. */
export const coinListResource: Resource<CoinListParams, CoinListAnswer, CoinListData> = {
  key: listKey,

  async fetch(params) {
    const { data } = await call(PATH, { method: 'POST', body: listRequest(params), answer: marketListCheck });
    return data;
  },

  first: {
    path: PATH,
    part(params) {
      const part = firstList(params);
      return part.top < params.top ? part : undefined;
    },
  },

  isRemembered: true,

  show: ({ data, source }, _params, at) => ({ coins: data, source, savedAt: at }),

  async write(db, params, { data: coins, source }) {
    const key = coinListResource.key(params);
    await db.coins.bulkPut(await changedCoins(db, coins));
    await db.coinLists.put({ key, ids: coins.map(({ id }) => id), source });
    await deleteOldLists(db, key);
  },

  async read(db, params) {
    const keys = COUNTS.filter((count) => count >= params.top).map((top) => coinListResource.key({ ...params, top }));
    const [lists, stamps] = await Promise.all([db.coinLists.bulkGet(keys), db.stamps.bulkGet(keys)]);
    // A longer list begins with the shorter one. The newest of them has the latest order.
    const known = lists.flatMap((list, at) => (list ? [{ list, savedAt: stamps[at]?.savedAt }] : []));
    const newest = known.sort((a, b) => (b.savedAt ?? 0) - (a.savedAt ?? 0))[0];
    if (!newest) return undefined;
    const coins = await db.coins.bulkGet(newest.list.ids.slice(0, params.top));
    return { coins: coins.filter((coin) => coin !== undefined), source: newest.list.source, savedAt: newest.savedAt };
  },
};

/** Deletes all but the newest lists. `written` is new and has no stamp yet. */
async function deleteOldLists(db: UserTables, written: string) {
  if ((await db.coinLists.count()) <= MAX_LISTS) return;
  const stamps = await db.stamps.where('key').startsWith(LIST_KEYS).toArray();
  const old = stamps
    .filter(({ key }) => key !== written)
    .sort((a, b) => b.savedAt - a.savedAt)
    .slice(MAX_LISTS - 1)
    .map(({ key }) => key);
  await Promise.all([db.coinLists.bulkDelete(old), db.stamps.bulkDelete(old)]);
}
