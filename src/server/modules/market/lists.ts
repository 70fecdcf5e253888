import type { CryptoItem, MarketListBody } from '#contract/market/market.ts';
import type { MarketCoin, MarketData, MarketSnapshot } from '#server/ports/market-data/market-data.ts';
import { type HotAnswer, hotAnswer } from './compressed-answer.ts';
import { passes } from './filters.ts';
import { rank } from './ranking.ts';

const DEFAULT_LIMIT = 100;
/** Answers kept of one snapshot: every usual list several times over, and the filters of the moment. */
const MOST_ANSWERS = 64;
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

/** The market's lists as whole answers: made once of each snapshot, and dropped with it. */
export function createLists(market: MarketData): (request: MarketListBody) => Promise<HotAnswer> {
  const answers = new WeakMap<MarketSnapshot, Map<string, HotAnswer>>();

  return async (request) => {
    const { sortType = 1 } = request;
    const ordered = sortType === 1 ? undefined : await market.ranking(sortType);
    const snapshot = ordered ?? (await market.snapshot());
    const kept = answers.get(snapshot) ?? new Map<string, HotAnswer>();
    answers.set(snapshot, kept);
    const key = keyOf(request, sortType);
    const answer =
      kept.get(key) ??
      hotAnswer(
        listOf(snapshot, ordered ? snapshot.coins : rank(snapshot.coins, sortType), request),
        () => market.ready(sortType) === snapshot,
      );
    // The last to be put in is the last to go.
    kept.delete(key);
    kept.set(key, answer);
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_ANSWERS) break;
      kept.delete(oldest);
    }
    return answer;
  };
}

/** Both quotes are in every answer, so the currency makes another list only for filters. */
function keyOf(request: MarketListBody, sortType: number): string {
  const list = `${sortType}:${request.limit ?? DEFAULT_LIMIT}`;
  if (FILTERS.every((filter) => request[filter] === undefined)) return list;
  return `${list}:${request.convert ?? 'USD'}:${FILTERS.map((filter) => request[filter] ?? '').join(':')}`;
}

function listOf({ source }: MarketSnapshot, ordered: readonly MarketCoin[], request: MarketListBody) {
  const chosen = ordered.filter((coin) => passes(coin, request, request.convert ?? 'USD')).slice(0, request.limit ?? DEFAULT_LIMIT);
  return { status: 200, data: { data: chosen.map(itemOf), source } };
}

/** A coin as lists show it. */
export const itemOf = ({ id, symbol, name, rank: place, quote }: MarketCoin): CryptoItem => ({ id, symbol, name, rank: place, quote });
