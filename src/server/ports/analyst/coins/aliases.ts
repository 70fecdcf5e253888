import type { CoinName } from '../../market-data/market-data';
import { foldedWords } from './tokens';
import { EVERYDAY, NICKNAMES, VERY_COMMON, VERY_COMMON_NAMES } from './words';

/** How much help from its surroundings a lower-case alias needs before it counts as a coin. */
export type Ambiguity = 'none' | 'everyday' | 'very common';

/** One way to write a coin. */
export interface Alias {
  coin: CoinName;
  words: readonly string[];
  /** The symbol as its provider writes it; null for names. */
  symbol: string | null;
  ambiguity: Ambiguity;
}

/** A stretch of tokens that may name a coin: `to` is the token after it. */
export interface Candidate {
  coin: CoinName;
  from: number;
  to: number;
  sure: boolean;
  alias: Alias;
}

/** Below this rank, a lower-case ticker is more likely a word than a coin. */
const WELL_KNOWN_RANK = 150;

/** All aliases by their first word, longest first and, within a length, the largest coin first. `coins` by rank. */
export function indexAliases(coins: readonly CoinName[]): ReadonlyMap<string, readonly Alias[]> {
  const index = new Map<string, Alias[]>();
  for (const coin of coins) {
    const known = coin.rank !== null && coin.rank <= WELL_KNOWN_RANK;
    const names = [bareName(coin.name), ...(NICKNAMES[coin.id] ?? [])].map((name) => ({ words: foldedWords(name), symbol: null }));
    for (const { words, symbol } of [...names, { words: foldedWords(coin.symbol), symbol: coin.symbol }]) {
      const [first] = words;
      if (!first) continue;
      const ambiguity = ambiguityOf(words);
      const alias: Alias = { coin, words, symbol, ambiguity: ambiguity === 'none' && symbol && !known ? 'very common' : ambiguity };
      index.set(first, [...(index.get(first) ?? []), alias]);
    }
  }
  for (const aliases of index.values()) aliases.sort((a, b) => b.words.length - a.words.length);
  return index;
}

/** Without what providers add: "POL (prev. MATIC)", "BitTorrent [New]". */
const bareName = (name: string): string => name.replace(/\s*[([].*$/, '');

function ambiguityOf(words: readonly string[]): Ambiguity {
  const phrase = words.join(' ');
  if (VERY_COMMON.has(phrase) || VERY_COMMON_NAMES.has(phrase)) return 'very common';
  return EVERYDAY.has(phrase) ? 'everyday' : 'none';
}
