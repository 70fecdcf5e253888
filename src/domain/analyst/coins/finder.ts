import type { CoinName } from '#domain/market/coin.ts';
import { type Alias, type AliasIndex, aliasIndexOf, type Candidate } from './aliases.ts';
import { isCoinByContext } from './context.ts';
import { capitalsMeanNothing, foldedWords, type Token, tokenize } from './tokens.ts';
import { COMMON_IN_CAPITALS, NO_COINS, NOT_TYPOS, OTHER_COINS, PAIR_ENDS } from './vocabulary.ts';

const OTHERS = OTHER_COINS.map(foldedWords);
const NONE = NO_COINS.map(foldedWords);
/** Maximum distance, in candidates, of a list neighbor; at most one word separates the two. */
const JOINED = 2;

/** A coin and its position in the question. */
export interface Mention {
  coin: CoinName;
  start: number;
  end: number;
}

export interface FoundCoins {
  /** In the order of the question. A coin named twice appears twice. */
  mentions: Mention[];
  /** Names of unknown coins as the user wrote them. */
  unlisted: string[];
}

/**
 * Finds the coins in a question: $TICKER, ticker in capitals, name, nickname, pair ("BTCUSDT"), or name with a typo.
 * Tickers and names that are also ordinary words count only in the context of coins.
 */
export function findCoins(text: string, coins: readonly CoinName[]): FoundCoins {
  const tokens = tokenize(text);
  const aliases = aliasIndexOf(coins);
  const candidates: Candidate[] = [];
  const unlisted: string[] = [];
  const capitalsCount = !capitalsMeanNothing(tokens);
  for (let at = 0; at < tokens.length; ) {
    const other = phraseAt(tokens, at, OTHERS);
    if (other) unlisted.push(other.text);
    const skipped = other ?? phraseAt(tokens, at, NONE);
    const candidate = skipped
      ? null
      : (aliasAt(text, tokens, at, aliases, capitalsCount) ?? pairAt(tokens, at, aliases) ?? typoAt(tokens, at, aliases));
    if (candidate) candidates.push(candidate);
    at = skipped?.to ?? candidate?.to ?? at + 1;
  }
  settle(text, tokens, candidates);
  const mentions = withoutPairEnds(
    text,
    tokens,
    candidates.filter(({ sure }) => sure),
  ).map(({ coin, from, to }) => ({ coin, start: tokens[from]?.start ?? 0, end: tokens[to - 1]?.end ?? 0 }));
  return { mentions, unlisted };
}

/** Marks candidates as certain by context. A new certain coin can confirm its neighbors: "sand, gala and btc". */
function settle(text: string, tokens: readonly Token[], candidates: readonly Candidate[]): void {
  const waiting = [...candidates.keys()];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const candidate = candidates[at];
    const begin = Math.max(0, at - JOINED);
    const nearby = candidates.slice(begin, at + JOINED + 1);
    if (!candidate || candidate.sure || !isCoinByContext(candidate, { text, tokens, candidates: nearby })) continue;
    candidate.sure = true;
    waiting.push(...nearby.map((_, offset) => begin + offset));
  }
}

function phraseAt(tokens: readonly Token[], at: number, phrases: readonly string[][]): { text: string; to: number } | null {
  const phrase = phrases.find((words) => matches(tokens, at, words));
  return phrase ? { text: phrase.join(' '), to: at + phrase.length } : null;
}

const matches = (tokens: readonly Token[], at: number, words: readonly string[]): boolean =>
  words.every((word, index) => tokens[at + index]?.folded === word);

function aliasAt(text: string, tokens: readonly Token[], at: number, aliases: AliasIndex, capitalsCount: boolean): Candidate | null {
  for (const length of aliases.lengthsFrom(tokens[at]?.folded ?? '')) {
    const phrase = tokens.slice(at, at + length).map(({ folded }) => folded);
    const judged = aliases.of(phrase.join(' ')).map((alias) => ({ alias, sure: isSure(alias, text, tokens, at, capitalsCount) }));
    // "$near" and "near" can be two aliases of one coin; a certain one wins.
    const best = judged.find(({ sure }) => sure) ?? judged[0];
    if (best) return { coin: best.alias.coin, from: at, to: at + phrase.length, sure: best.sure, alias: best.alias };
  }
  return null;
}

function isSure({ symbol, words, ambiguity }: Alias, text: string, tokens: readonly Token[], at: number, capitalsCount: boolean): boolean {
  const written = tokens.slice(at, at + words.length);
  if (symbol && text[(written[0]?.start ?? 0) - 1] === '$') return true;
  if (ambiguity === 'none') return true;
  if (!capitalsCount) return false;
  if (symbol && written[0]?.text === symbol && symbol !== symbol.toLowerCase()) return !COMMON_IN_CAPITALS.has(words[0] ?? '');
  const startsSentence = at === 0 || /[.?!]$/.test(text.slice(tokens[at - 1]?.end ?? 0, tokens[at]?.start).trimEnd());
  return !symbol && !startsSentence && written.every(({ text: word }) => /^\p{Lu}\p{Ll}/u.test(word));
}

/** "BTCUSDT", "ethusd". */
function pairAt(tokens: readonly Token[], at: number, aliases: AliasIndex): Candidate | null {
  const word = tokens[at]?.folded ?? '';
  const end = PAIR_ENDS.find((ending) => word.length > ending.length && word.endsWith(ending));
  const alias = end && aliases.of(word.slice(0, -end.length)).find(({ symbol }) => symbol);
  return alias ? { coin: alias.coin, from: at, to: at + 1, sure: true, alias } : null;
}

function typoAt(tokens: readonly Token[], at: number, aliases: AliasIndex): Candidate | null {
  const word = tokens[at]?.folded ?? '';
  const alias = NOT_TYPOS.has(word) ? undefined : aliases.byTypo(word);
  return alias ? { coin: alias.coin, from: at, to: at + 1, sure: true, alias } : null;
}

/** Removes dollar coins at the end of a pair ("BTC/USDT"), where they are units. */
const withoutPairEnds = (text: string, tokens: readonly Token[], found: readonly Candidate[]): Candidate[] =>
  found.filter(({ from }, index) => {
    const before = found[index - 1];
    const gap = text.slice(tokens[from - 1]?.end ?? 0, tokens[from]?.start ?? 0);
    const isDollar = PAIR_ENDS.some((ending) => ending === tokens[from]?.folded);
    return !(isDollar && before?.to === from && /^[/_-]$/.test(gap));
  });
