import { editDistance } from '#domain/market/typos.ts';
import { foldedWords } from '../coins/tokens.ts';
import { GLOSSARY } from '../glossary/glossary.ts';

/** Words by which questions are read, that people misspell. */
const WORDS = `price prices volume support resistance gainers losers volatility volatile correlation market dominance supply levels
  watchlist highest lowest compare funding interest drawdown performance change percent bitcoin`.split(/\s+/);
/** Words that mean something else, one or two letters from one of those. */
const OTHERS = new Set([
  ...GLOSSARY.flatMap(({ name, also }) => [name, ...also].flatMap(foldedWords)),
  ...`prince pride prime spice lovers loser levers marked markets gamers supplied supplies supports supported charge changes changed chance
   volumes comparing compared lower highers interested performances percentage fund funds funny pricey priced prized`.split(/\s+/),
]);
const SHORTEST = 5;
/** From this length on, two letters may be wrong. */
const LONG = 9;
/** Words of a question that are checked. */
const MAX_WORDS = 60;

/** Corrects misspelled words of a folded question, except for `names`. */
export function withoutTypos(folded: string, names: readonly string[]): string {
  let count = 0;
  return folded.replace(/\p{L}{5,16}/gu, (word) => {
    if (count++ >= MAX_WORDS || word.length < SHORTEST || OTHERS.has(word) || names.some((name) => name.includes(word))) return word;
    return WORDS.includes(word) ? word : (WORDS.find((each) => isTypo(word, each)) ?? word);
  });
}

function isTypo(word: string, meant: string): boolean {
  const allowed = meant.length >= LONG ? 2 : 1;
  return word[0] === meant[0] && Math.abs(word.length - meant.length) <= allowed && editDistance(word, meant) <= allowed;
}
