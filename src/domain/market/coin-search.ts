import type { SearchHit } from '#contract/market/search.ts';
import { fold } from '../text.ts';
import { isTypoOf } from './typos.ts';

type Named = Pick<SearchHit, 'name' | 'symbol'>;

const MAX_HITS = 50;
const TOP_COINS = 20;
/** Characters of a text that can be a name with typos. */
const MAX_TYPO = 60;

interface Folded<Coin> {
  coin: Coin;
  name: string;
  symbol: string;
  /** Name and symbol, so that one test skips most coins. */
  text: string;
}

/** Folding is slow, so it runs once per list of coins. */
const folded = new WeakMap<readonly Named[], readonly Folded<Named>[]>();

function foldedOf<Coin extends Named>(coins: readonly Coin[]): readonly Folded<Coin>[] {
  const known = folded.get(coins);
  if (known) return known as readonly Folded<Coin>[];
  const fresh = coins.map((coin) => {
    const name = fold(coin.name);
    const symbol = fold(coin.symbol);
    return { coin, name, symbol, text: `${symbol}\n${name}` };
  });
  folded.set(coins, fresh);
  return fresh;
}

/** Returns how well a coin matches, 0 for the best. */
function distance({ name, symbol }: Folded<Named>, needle: string): number {
  if (symbol === needle) return 0;
  if (name === needle) return 1;
  if (symbol.startsWith(needle)) return 2;
  if (name.startsWith(needle)) return 3;
  return name.includes(` ${needle}`) ? 4 : 5;
}

/** Returns whether the text is the name, or a word of the name, with a typo. */
const isSimilar = ({ name }: Folded<Named>, needle: string): boolean =>
  isTypoOf(needle, name) || (name.includes(' ') && name.split(' ').some((word) => isTypoOf(needle, word)));

/**
 * Returns coins whose name or symbol contains the text, best match first, ignoring case and accents. If there are none, returns
 * coins whose name has the text with a typo. Without text, returns the top coins. `coins` are sorted by rank and must not change
 * after a search. The server searches all coins, the app those on the device.
 */
export function searchCoins<Coin extends Named>(coins: readonly Coin[], text: string): Coin[] {
  const needle = fold(text.trim());
  if (!needle) return coins.slice(0, TOP_COINS);
  const index = foldedOf(coins);
  const byDistance: Coin[][] = Array.from({ length: 6 }, () => []);
  for (const each of index) {
    if (each.text.includes(needle)) byDistance[distance(each, needle)]?.push(each.coin);
  }
  const hits = byDistance.flat();
  const found =
    hits.length > 0 || needle.length > MAX_TYPO ? hits : index.filter((each) => isSimilar(each, needle)).map(({ coin }) => coin);
  return found.slice(0, MAX_HITS);
}
