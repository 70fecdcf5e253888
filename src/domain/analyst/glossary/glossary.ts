import { foldedWords } from '../coins/tokens.ts';
import { MARKET_TERMS } from './market-terms.ts';
import { TECHNOLOGY_TERMS } from './technology-terms.ts';
import type { Term } from './term.ts';
import { TRADING_TERMS } from './trading-terms.ts';

export const GLOSSARY: readonly Term[] = [...MARKET_TERMS, ...TRADING_TERMS, ...TECHNOLOGY_TERMS];

const spellings = GLOSSARY.flatMap((term) => [term.name, ...term.also].map((spelling) => ({ term, words: foldedWords(spelling) }))).sort(
  (a, b) => b.words.length - a.words.length,
);

/** Finds the terms of a text in order, and its other words. Longer spellings win; plurals match too. */
export function findTerms(text: string): { terms: Term[]; rest: string[] } {
  const words = foldedWords(text);
  const places = placesOf(words);
  const found = new Map<number, Term>();
  const taken = new Set<number>();
  for (const { term, words: spelling } of spellings)
    for (const at of forms(spelling[0] ?? '')
      .flatMap((form) => places.get(form) ?? [])
      .sort((a, b) => a - b)) {
      if (!spelling.every((word, offset) => !taken.has(at + offset) && isSameWord(words[at + offset], word))) continue;
      for (const offset of spelling.keys()) taken.add(at + offset);
      found.set(at, term);
    }
  const inOrder = [...found].sort(([a], [b]) => a - b).map(([, term]) => term);
  return { terms: [...new Set(inOrder)], rest: words.filter((_, at) => !taken.has(at)) };
}

function placesOf(words: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, word] of words.entries()) {
    const known = places.get(word);
    if (known) known.push(at);
    else places.set(word, [at]);
  }
  return places;
}

/** Matches a word and its plurals. */
const forms = (word: string): string[] => [word, `${word}s`, `${word}es`];

const isSameWord = (written: string | undefined, word: string): boolean => written !== undefined && forms(word).includes(written);
