import { keepFigures } from '#client/coins/keep-figures.ts';
import { listedCoin } from '#client/coins/listed-coins.ts';
import { call } from '#client/platform/api/call.ts';
import type { Resource } from '#client/platform/cache/resource.ts';
import type { CoinDetailsRow } from '#client/platform/db/user-db.ts';
import { cryptoDetailsAnswer } from '#contract/market/coin-details.ts';
import type { CryptoItem, MarketSource } from '#contract/market/market.ts';

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
  /** When the newest list with this coin was stored, ms. */
  listedAt: number | undefined;
  /** The device has not been read: it may have the details. */
  isPartial?: true | undefined;
}

/** One coin in full. It shares its row of figures with lists, so that both show the same price. */
export const coinDetailsResource: Resource<CoinDetailsParams, CoinDetailsRow, CoinData> = {
  key: ({ id }) => `coin/${id}`,

  isRemembered: true,

  peek(userId, { id }) {
    const listed = inList(userId, id);
    return listed && { ...listed, isPartial: true };
  },

  show: (details) => ({ coin: details, details, source: details.source, listedAt: undefined }),

  async fetch({ id, userId }) {
    const { data } = await call(`/coin-market/get-single-data/${id}/${userId}`, { answer: cryptoDetailsAnswer });
    return data;
  },

  async write(db, _params, details) {
    await db.coinDetails.put(details);
    await keepFigures(db, details);
  },

  async read(db, { id, userId }) {
    const [coin, details, all] = await Promise.all([db.coins.get(id), db.coinDetails.get(id), db.coinLists.toArray()]);
    const lists = all.filter(({ ids }) => ids.includes(id));
    const stamps = await db.stamps.bulkGet(lists.map(({ key }) => key));
    const listedAt = Math.max(...stamps.map((stamp) => stamp?.savedAt ?? 0), 0) || undefined;
    const listed = lists.find((_list, at) => stamps[at]?.savedAt === listedAt);
    if (coin) return { coin, details, source: later(details?.source, listed?.source), listedAt };
    return inList(userId, id); // a device without room has not stored the list
  },
};

/** Returns what a list in memory has of a coin. */
function inList(userId: string, id: number): CoinData | undefined {
  const listed = listedCoin(userId, id);
  return listed && { coin: listed.coin, details: undefined, source: listed.source, listedAt: listed.savedAt };
}

/** Returns the later source: list and details share the figures, and the last answer wrote them. */
const later = (a: MarketSource | undefined, b: MarketSource | undefined) => (a && b ? (a.asOf > b.asOf ? a : b) : (a ?? b));
