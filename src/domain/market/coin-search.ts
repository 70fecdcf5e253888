import type { SearchHit } from '#contract/market/market.ts';
import { fold } from '../text.ts';

const MAX_HITS = 50;
const TOP_COINS = 20;

interface Folded {
  coin: SearchHit;
  name: string;
  symbol: string;
  /** Both, so that most coins are passed over at one look. */
  text: string;
}

/** Folding costs far more than looking: it is done once for each list of coins that is searched. */
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

/** How well a coin that has the text answers it, 0 the best. */
function distance({ name, symbol }: Folded, needle: string): number {
  if (symbol === needle) return 0;
  if (name === needle) return 1;
  if (symbol.startsWith(needle)) return 2;
  if (name.startsWith(needle)) return 3;
  return name.includes(` ${needle}`) ? 4 : 5;
}

/**
 * Coins by name or symbol, whatever case and accents, best match first; without text, the top coins. `coins` by rank,
 * and never changed after they were searched once. The server searches all coins with it, the app those on the device.
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
