import type { SearchHit } from '../contract/market';
import { fold } from './text';

const MOST_HITS = 50;
const TOP_COINS = 20;
const NO_MATCH = 6;

/** How well a coin answers the text, 0 the best. */
function distance({ name, symbol }: SearchHit, needle: string): number {
  const foldedName = fold(name);
  const foldedSymbol = fold(symbol);
  if (foldedSymbol === needle) return 0;
  if (foldedName === needle) return 1;
  if (foldedSymbol.startsWith(needle)) return 2;
  if (foldedName.startsWith(needle)) return 3;
  if (foldedName.includes(` ${needle}`)) return 4;
  if (foldedName.includes(needle) || foldedSymbol.includes(needle)) return 5;
  return NO_MATCH;
}

/**
 * Coins by name or symbol, whatever case and accents, best match first; without text, the top coins. `coins` by rank.
 * The server searches all coins with it, the app those on the device.
 */
export function searchCoins(coins: readonly SearchHit[], text: string): SearchHit[] {
  const needle = fold(text.trim());
  const hits = needle
    ? coins
        .map((coin) => ({ coin, distance: distance(coin, needle) }))
        .filter((hit) => hit.distance < NO_MATCH)
        .sort((a, b) => a.distance - b.distance)
        .slice(0, MOST_HITS)
        .map(({ coin }) => coin)
    : coins.slice(0, TOP_COINS);
  return hits.map(({ id, name, symbol }) => ({ id, name, symbol }));
}
