import { type Code, loadLanguage } from './detect-language.ts';
import { answerIn } from './translate-answer.ts';
import { toEnglish } from './translate-question.ts';

const CODES: readonly Code[] = ['de', 'es', 'fr', 'pt', 'tr', 'ko'];
/** The most frequent answers: the price of a coin, and all its figures. */
const SAMPLE = [
  'The price of Bitcoin (BTC) is **$1.00**, up 1.00% over 24 hours.',
  '**Bitcoin (BTC)** is at **$1.00**, up 1.00% over 24 hours. Rank #1 by market cap.',
  '| Period | Change |',
  '- Market cap: $1.0T, fully diluted $1.0T',
  '- Volume (24h): $1.0B, up 1.00% from the day before, 1.00% of the market cap',
  '- Supply: 1.0M in circulation, at most 2.0M',
  '- Listed under: Mineable',
  'Data: 1 Jan 2026, 00:00 UTC, Demo.',
  'Not financial advice: crypto prices can fall fast, and you can lose all you put in.',
].join('\n');

/**
 * Loads the languages and compiles what a first question of each needs, so that no user waits for it.
 * @param turn lets other work run, after each use of a language
 */
export async function prepareLanguages(turn: () => Promise<unknown>): Promise<void> {
  for (const code of CODES) {
    const language = await loadLanguage(code);
    // V8 compiles a pattern once for texts of Latin-1 and once for others, and from bytecode to machine code at its second use.
    for (let use = 0; use < 2; use++) {
      for (const question of ['bitcoin', 'bitcoin ğı 봇']) toEnglish(question, language);
      answerIn(language, SAMPLE);
      await turn();
    }
  }
}
