import { call } from '#client/platform/api/call.ts';
import { changedCoins } from '#client/platform/cache/changed-coins.ts';
import type { Resource } from '#client/platform/cache/resource.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { type CryptoItem, type MarketSource, marketListAnswer } from '#contract/market/market.ts';
import { COUNTS, DEFAULT_CHOICE, FILTERS, type Filters, filterRequest, type ListChoice } from '#domain/market/list-address.ts';

/** What of a choice makes another list. The period does not: every answer has the changes of all. */
export type CoinListParams = Omit<ListChoice, 'period'>;

export interface CoinListData {
  coins: CryptoItem[];
  source: MarketSource;
  /** When the list was stored that these are taken from, ms: this one, or a longer one that begins with it. */
  savedAt: number | undefined;
}

interface Answer {
  data: CryptoItem[];
  source: MarketSource;
}

const PREFIX = 'coins/';
/** So many lists stay on the device. */
const KEPT = 50;

/** What the list opens with (spec §4). */
export const TOP_100: CoinListParams = DEFAULT_CHOICE;

/** Only volumes are always in dollars: a price or market cap means another one in another currency (spec §2). */
const dependsOnCurrency = (filters: Filters) => FILTERS.some(({ field }) => filters[field] !== undefined && !field.startsWith('volume'));

/**
 * A ranking of coins: the order is the list's own, the figures are shared by every list and page that shows the coin.
 * Answers have the figures in both currencies, so these make two lists only where a filter compares with them.
 */
export const coinListResource: Resource<CoinListParams, Answer, CoinListData> = {
  key({ currency, ranking, top, filters }) {
    const set = FILTERS.flatMap(({ field, parameter }) => (filters[field] === undefined ? [] : [`${parameter}=${filters[field]}`]));
    return [`${PREFIX}${dependsOnCurrency(filters) ? currency : 'USD'}/${ranking}/${top}`, ...set].join('&');
  },

  async fetch({ currency, ranking, top, filters }) {
    const body = { limit: top, convert: currency, sortType: ranking, ...filterRequest(filters) };
    const { data } = await call('/coin-market/get-data', { method: 'POST', body, answer: marketListAnswer });
    return data;
  },

  async write(db, params, { data: coins, source }) {
    const key = coinListResource.key(params);
    await db.coins.bulkPut(await changedCoins(db, coins));
    await db.coinLists.put({ key, ids: coins.map(({ id }) => id), source });
    await forgetOldLists(db, key);
  },

  async read(db, params) {
    const keys = COUNTS.filter((count) => count >= params.top).map((top) => coinListResource.key({ ...params, top }));
    const [lists, stamps] = await Promise.all([db.coinLists.bulkGet(keys), db.stamps.bulkGet(keys)]);
    // A longer list begins with the shorter one, and of them all the newest knows best.
    const known = lists.flatMap((list, at) => (list ? [{ list, savedAt: stamps[at]?.savedAt }] : []));
    const newest = known.sort((a, b) => (b.savedAt ?? 0) - (a.savedAt ?? 0))[0];
    if (!newest) return undefined;
    const coins = await db.coins.bulkGet(newest.list.ids.slice(0, params.top));
    return { coins: coins.filter((coin) => coin !== undefined), source: newest.list.source, savedAt: newest.savedAt };
  },
};

/** Keeps the newest lists. `written` has no stamp yet. */
async function forgetOldLists(db: UserDb, written: string) {
  if ((await db.coinLists.count()) <= KEPT) return;
  const stamps = await db.stamps.where('key').startsWith(PREFIX).toArray();
  const old = stamps
    .filter(({ key }) => key !== written)
    .sort((a, b) => b.savedAt - a.savedAt)
    .slice(KEPT - 1)
    .map(({ key }) => key);
  await Promise.all([db.coinLists.bulkDelete(old), db.stamps.bulkDelete(old)]);
}
