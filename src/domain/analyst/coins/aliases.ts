import type { CoinName } from '#domain/market/coin.ts';
import { foldedWords } from './tokens.ts';
import { createTypoIndex } from './typo-index.ts';
import { EVERYDAY, NICKNAMES, VERY_COMMON, VERY_COMMON_NAMES } from './vocabulary.ts';

/** How much context a lower-case alias needs to count as a coin. */
export type Ambiguity = 'none' | 'everyday' | 'very common';

/** One way to write a coin. */
export interface Alias {
  coin: CoinName;
  words: readonly string[];
  /** The symbol as its provider writes it; null for names. */
  symbol: string | null;
  ambiguity: Ambiguity;
}

/** A range of tokens [from, to) that may name a coin. */
export interface Candidate {
  coin: CoinName;
  from: number;
  to: number;
  sure: boolean;
  alias: Alias;
}

/** Index of coin aliases. Of equal aliases, the one with the best rank comes first. */
export interface AliasIndex {
  /** Returns the aliases with this text. */
  of(phrase: string): readonly Alias[];
  /** Returns the word counts of aliases that start with a word, largest first. */
  lengthsFrom(word: string): readonly number[];
  /** Returns the name that a word is a typo of. */
  byTypo(word: string): Alias | undefined;
}

/** From this rank on, a lower-case ticker is more likely a word than a coin. */
const WELL_KNOWN_RANK = 150;
/** Milliseconds of work before the event loop gets a turn. */
const SLICE = 10;

const indexes = new WeakMap<readonly CoinName[], AliasIndex>();
const coming = new WeakMap<readonly CoinName[], Promise<void>>();

/** Returns the cached index of a list of coins. `coins` must be sorted by rank and must not change. */
export function aliasIndexOf(coins: readonly CoinName[]): AliasIndex {
  const known = indexes.get(coins);
  if (known) return known;
  const { add, index } = createIndex();
  for (const coin of coins) add(coin);
  indexes.set(coins, index);
  return index;
}

/** Builds the index in slices, so that it does not block other requests. */
export async function prepareAliasIndex(coins: readonly CoinName[]): Promise<void> {
  if (indexes.has(coins)) return;
  const making = coming.get(coins) ?? indexInSlices(coins);
  coming.set(coins, making);
  await making;
}

async function indexInSlices(coins: readonly CoinName[]): Promise<void> {
  const { add, index } = createIndex();
  let begin = performance.now();
  for (const coin of coins) {
    add(coin);
    if (performance.now() - begin < SLICE) continue;
    await new Promise<void>((resolve) => setTimeout(resolve));
    begin = performance.now();
  }
  indexes.set(coins, index);
}

function createIndex(): { add(coin: CoinName): void; index: AliasIndex } {
  const byPhrase = new Map<string, Alias[]>();
  const lengths = new Map<string, number[]>();
  /** Order of appearance of each first word; among typo matches, the earliest wins. */
  const firstWords = new Map<string, number>();
  const named: string[] = [];
  const typos = createTypoIndex();

  function addAlias(alias: Alias): void {
    const [first = ''] = alias.words;
    const phrase = alias.words.join(' ');
    const sharing = byPhrase.get(phrase);
    if (sharing) sharing.push(alias);
    else byPhrase.set(phrase, [alias]);

    const known = lengths.get(first);
    if (!known) lengths.set(first, [alias.words.length]);
    else if (!known.includes(alias.words.length)) known.splice(0, known.length, ...[...known, alias.words.length].sort((a, b) => b - a));

    const rank = firstWords.get(first) ?? firstWords.size;
    firstWords.set(first, rank);
    if (!isTypable(alias)) return;
    named[rank] = phrase;
    typos.add(phrase, rank);
  }

  return {
    add: (coin) => aliasesOf(coin).forEach(addAlias),
    index: {
      of: (phrase) => byPhrase.get(phrase) ?? [],
      lengthsFrom: (word) => lengths.get(word) ?? [],
      byTypo: (word) => byPhrase.get(named[typos.find(word)] ?? '')?.find(isTypable),
    },
  };
}

/** Whether a name is one word that is not an ordinary word; typos of others are too ambiguous. */
const isTypable = ({ words, symbol, ambiguity }: Alias): boolean => words.length === 1 && symbol === null && ambiguity === 'none';

function aliasesOf(coin: CoinName): Alias[] {
  const known = coin.rank !== null && coin.rank <= WELL_KNOWN_RANK;
  const names = [bareName(coin.name), ...(NICKNAMES[coin.id] ?? [])].map((name) => ({ words: foldedWords(name), symbol: null }));
  return [...names, { words: foldedWords(coin.symbol), symbol: coin.symbol }].flatMap(({ words, symbol }) => {
    if (words.length === 0) return [];
    const ambiguity = ambiguityOf(words);
    return { coin, words, symbol, ambiguity: ambiguity === 'none' && symbol && !known ? ('very common' as const) : ambiguity };
  });
}

/** Removes suffixes of providers: "POL (prev. MATIC)", "BitTorrent [New]". */
function bareName(name: string): string {
  const end = name.search(/[([]/);
  return end < 0 ? name : name.slice(0, end);
}

function ambiguityOf(words: readonly string[]): Ambiguity {
  const phrase = words.join(' ');
  if (VERY_COMMON.has(phrase) || VERY_COMMON_NAMES.has(phrase)) return 'very common';
  return EVERYDAY.has(phrase) ? 'everyday' : 'none';
}
