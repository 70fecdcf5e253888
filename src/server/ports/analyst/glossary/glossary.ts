import { foldedWords } from '../coins/tokens';
import { MARKET_TERMS } from './market-terms';
import { TECHNOLOGY_TERMS } from './technology-terms';
import type { Term } from './term';
import { TRADING_TERMS } from './trading-terms';

export const GLOSSARY: readonly Term[] = [...MARKET_TERMS, ...TRADING_TERMS, ...TECHNOLOGY_TERMS];

const spellings = GLOSSARY.flatMap((term) => [term.name, ...term.also].map((spelling) => ({ term, words: foldedWords(spelling) }))).sort(
  (a, b) => b.words.length - a.words.length,
);

/** The terms that a text speaks of, in its order, and the words it says besides. Longer spellings come first; plurals count. */
export function findTerms(text: string): { terms: Term[]; rest: string[] } {
  const words = foldedWords(text);
  const found = new Map<number, Term>();
  const taken = new Set<number>();
  for (const { term, words: spelling } of spellings)
    for (const at of words.keys()) {
      const places = spelling.map((_, offset) => at + offset);
      if (!spelling.every((word, offset) => !taken.has(at + offset) && isSameWord(words[at + offset], word))) continue;
      for (const place of places) taken.add(place);
      found.set(at, term);
    }
  const inOrder = [...found].sort(([a], [b]) => a - b).map(([, term]) => term);
  return { terms: [...new Set(inOrder)], rest: words.filter((_, at) => !taken.has(at)) };
}

const isSameWord = (written: string | undefined, word: string): boolean =>
  written === word || written === `${word}s` || written === `${word}es`;
