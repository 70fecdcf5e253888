import type { RankingId } from '#contract/market/rankings.ts';
import type { MarketCoin } from '#server/ports/market-data/market-data.ts';

const figure = (value: number | null): number => value ?? Number.NEGATIVE_INFINITY;
const cap = (coin: MarketCoin): number => figure(coin.quote.USD.market_cap);
const added = (coin: MarketCoin): number => Date.parse(coin.dateAdded) || 0;
const hasTag = (coin: MarketCoin, ...slugs: string[]): boolean => coin.tags.some(({ slug }) => slugs.includes(slug));

/** Scores the day's change, weighted by the growth of its volume. */
function momentum({ quote: { USD } }: MarketCoin): number {
  const growth = Math.max(0, USD.volume_change_24h ?? 0) / 100;
  return Math.abs(USD.percent_change_24h ?? 0) * (1 + growth);
}

/** Treats two unknown scores (-Infinity) as equal; their difference would be NaN. */
const difference = (a: number, b: number): number => (a === b ? 0 : a - b);

const highestFirst = (score: (coin: MarketCoin) => number) => (coins: readonly MarketCoin[]) =>
  [...coins].sort((a, b) => difference(score(b), score(a)));

/**
 * The six ranking types by id, computed from a snapshot where the provider has no list of its own. A snapshot has no
 * visits or upcoming listings, so types 2 to 4 use the closest available data.
 */
const rankings: Record<RankingId, (coins: readonly MarketCoin[]) => MarketCoin[]> = {
  1: highestFirst(cap),
  2: highestFirst(momentum),
  // Upcoming: smallest first.
  3: highestFirst((coin) => -cap(coin)),
  // Most visited: highest volume first.
  4: highestFirst((coin) => figure(coin.quote.USD.volume_24h)),
  5: highestFirst(added),
  // Chains: coins with their own chain. The provider does not tag all mined ones as layer 1.
  6: (coins) => rankings[1](coins.filter((coin) => hasTag(coin, 'layer-1', 'mineable'))),
};

/** Sorts coins by a ranking's id. Type 6 leaves out tokens on other chains. */
export const rank = (coins: readonly MarketCoin[], type: number): MarketCoin[] => rankings[type as RankingId]?.(coins) ?? [...coins];
