import type { MarketCoin } from '#server/ports/market-data/market-data.ts';

const figure = (value: number | null): number => value ?? Number.NEGATIVE_INFINITY;
const cap = (coin: MarketCoin): number => figure(coin.quote.USD.market_cap);
const added = (coin: MarketCoin): number => Date.parse(coin.dateAdded) || 0;
const hasTag = (coin: MarketCoin, ...slugs: string[]): boolean => coin.tags.some(({ slug }) => slugs.includes(slug));

/** Movement that trading takes part in: the size of the day's change, weighed by how much its volume grew. */
function momentum({ quote: { USD } }: MarketCoin): number {
  const growth = Math.max(0, USD.volume_change_24h ?? 0) / 100;
  return Math.abs(USD.percent_change_24h ?? 0) * (1 + growth);
}

/** Two unknown scores are equal; their difference would be no number. */
const difference = (a: number, b: number): number => (a === b ? 0 : a - b);

const highestFirst = (score: (coin: MarketCoin) => number) => (coins: readonly MarketCoin[]) =>
  [...coins].sort((a, b) => difference(score(b), score(a)));

/**
 * The six ranking types by their id (spec §9), from one snapshot, where the provider has no list of its own
 * (ports/market-data `ranking`). A snapshot knows neither visits nor what is about to list, so types 2 to 4 stand in
 * with the nearest thing the figures tell.
 */
const rankings: Record<number, (coins: readonly MarketCoin[]) => MarketCoin[]> = {
  1: highestFirst(cap),
  2: highestFirst(momentum),
  // Upcoming: the smallest first, as those with their way up still before them.
  3: highestFirst((coin) => -cap(coin)),
  // Most visited: people look at what they trade, so the most traded first.
  4: highestFirst((coin) => figure(coin.quote.USD.volume_24h)),
  5: highestFirst(added),
  // Chains: coins with a chain of their own. The provider tags most as layer 1, and the mined ones not always.
  6: (coins) => rankings[1]?.(coins.filter((coin) => hasTag(coin, 'layer-1', 'mineable'))) ?? [],
};

/** `coins` in the order of a ranking type, 1 to 6; type 6 leaves out tokens on other coins' chains. */
export const rank = (coins: readonly MarketCoin[], type: number): MarketCoin[] => rankings[type]?.(coins) ?? [...coins];
