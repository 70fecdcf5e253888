import type { SearchHit } from '#contract/market/market.ts';
import { fold } from '../text.ts';

const MAX_HITS = 50;
const TOP_COINS = 20;

interface Folded {
  coin: SearchHit;
  name: string;
  symbol: string;
  /** Name and symbol, so that one test skips most coins. */
  text: string;
}

/** Folding is slow, so it runs once per list of coins. */
const folded = new WeakMap<readonly SearchHit[], Folded[]>();

function foldedOf(coins: readonly SearchHit[]): Folded[] {
  const known = folded.get(coins);
  if (known) return known;
  const fresh = coins.map((coin) => {
    const name = fold(coin.name);
    const symbol = fold(coin.symbol);
    return { coin, name, symbol, text: `${symbol}\n${name}` };
  });
  folded.set(coins, fresh);
  return fresh;
}

/** Returns how well a coin matches, 0 for the best. */
function distance({ name, symbol }: Folded, needle: string): number {
  if (symbol === needle) return 0;
  if (name === needle) return 1;
  if (symbol.startsWith(needle)) return 2;
  if (name.startsWith(needle)) return 3;
  return name.includes(` ${needle}`) ? 4 : 5;
}

/**
 * Returns coins whose name or symbol contains the text, best match first, ignoring case and accents. Without text, the top coins.
 * `coins` are sorted by rank and must not change after a search. The server searches all coins, the app those on the device.
 */
export function searchCoins(coins: readonly SearchHit[], text: string): SearchHit[] {
  const index = foldedOf(coins);
  const needle = fold(text.trim());
  const byDistance: SearchHit[][] = Array.from({ length: 6 }, () => []);
  for (const each of needle ? index : []) {
    if (each.text.includes(needle)) byDistance[distance(each, needle)]?.push(each.coin);
  }
  const hits = needle ? byDistance.flat().slice(0, MAX_HITS) : coins.slice(0, TOP_COINS);
  return hits.map(({ id, name, symbol }) => ({ id, name, symbol }));
}
