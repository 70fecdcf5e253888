import type { CryptoItem, MarketListBody } from '#contract/market/market.ts';
import { passes } from '#domain/market/filters.ts';
import type { MarketCoin, MarketData, MarketSnapshot } from '#server/ports/market-data/market-data.ts';
import { createRecentMap, type RecentMap } from '#server/recent-map.ts';
import { type CompressedAnswer, createCompressedAnswer } from './compressed-answer.ts';
import type { ItemsOf } from './items.ts';
import { rank } from './ranking.ts';

const DEFAULT_LIMIT = 100;
/** Cached answers per snapshot: all common lists several times over, and the filters in use. */
const MAX_ANSWERS = 64;
const FILTERS = [
  'marketCapMin',
  'marketCapMax',
  'volume24hMin',
  'volume24hMax',
  'priceMin',
  'priceMax',
  'percentChange24hMin',
  'percentChange24hMax',
] as const satisfies readonly (keyof MarketListBody)[];

/** Caches the market's lists as whole answers, once per snapshot. */
export function createLists(market: MarketData, itemsOf: ItemsOf): (request: MarketListBody) => Promise<CompressedAnswer> {
  const answers = new WeakMap<MarketSnapshot, RecentMap<string, CompressedAnswer>>();

  return async (request) => {
    const { sortType = 1 } = request;
    const ordered = sortType === 1 ? undefined : await market.ranking(sortType);
    const snapshot = ordered ?? (await market.snapshot());
    const itemOf = await itemsOf(snapshot);
    const kept = answers.get(snapshot) ?? createRecentMap<string, CompressedAnswer>(MAX_ANSWERS);
    answers.set(snapshot, kept);
    const key = keyOf(request, sortType);
    const answer =
      kept.get(key) ??
      createCompressedAnswer(listOf(snapshot, ordered ? snapshot.coins : rank(snapshot.coins, sortType), { request, itemOf }));
    kept.set(key, answer);
    return answer;
  };
}

/** Every answer has both quotes, so the currency matters only to filters. */
function keyOf(request: MarketListBody, sortType: number): string {
  const list = `${sortType}:${request.limit ?? DEFAULT_LIMIT}`;
  if (FILTERS.every((filter) => request[filter] === undefined)) return list;
  return `${list}:${request.convert ?? 'USD'}:${FILTERS.map((filter) => request[filter] ?? '').join(':')}`;
}

interface Shape {
  request: MarketListBody;
  itemOf: (coin: MarketCoin) => CryptoItem;
}

function listOf({ source }: MarketSnapshot, ordered: readonly MarketCoin[], { request, itemOf }: Shape) {
  const matches = ordered.filter((coin) => passes(coin, request, request.convert ?? 'USD'));
  const chosen = matches.slice(0, request.limit ?? DEFAULT_LIMIT);
  return { status: 200, data: { data: chosen.map(itemOf), source, matches: matches.length } };
}
