import { plainLetters } from './detect-language.ts';
import type { Language } from './sentences.ts';

/** Characters of a question that are translated. */
const READ = 600;

const patterns = new WeakMap<Language, RegExp>();

/** One pattern of all phrases, each in a group of its own, so that no English is translated again. */
function patternOf(language: Language): RegExp {
  const known = patterns.get(language);
  if (known) return known;
  const [before, after] = language.hasWordEnds ? ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])'] : ['', ''];
  const made = new RegExp(`${before}(?:${language.phrases.map(([phrase]) => `(${phrase})`).join('|')})${after}`, 'giu');
  patterns.set(language, made);
  return made;
}

/** "1.500,50" and "1 500" as English writes them. */
function toEnglishNumbers(text: string, locale: string): string {
  if (locale === 'ko-KR') return text.replace(/(\d+(?:\.\d+)?) 만/g, (_, digits: string) => String(Number(digits) * 10_000));
  return text.replace(/\d+(?:[.,]\d+)+/g, (number) => {
    const last = Math.max(number.lastIndexOf('.'), number.lastIndexOf(','));
    const isDecimal = number[last] === ',' ? !/^[1-9]\d{0,2}(,\d{3})+$/.test(number) : !/^[1-9]\d{0,2}(\.\d{3})+$/.test(number);
    if (!isDecimal) return number.replace(/[.,]/g, '');
    return `${number.slice(0, last).replace(/[.,]/g, '')}.${number.slice(last + 1)}`;
  });
}

/** Puts a question into the English words that the rules read. Names and numbers stay. */
export function toEnglish(question: string, language: Language): string {
  let text = plainLetters(question.slice(0, READ).normalize('NFKC'));
  for (const [pattern, english] of language.rewrites ?? []) text = text.replace(pattern, english);
  const translated = toEnglishNumbers(text, language.locale).replace(patternOf(language), (whole, ...groups) => {
    const at = groups.slice(0, language.phrases.length).findIndex((group) => group !== undefined);
    return language.phrases[at]?.[1] ?? whole;
  });
  const english = translated.replace(/[¿¡]/g, '').replace(/\s+/g, ' ').trim();
  // The rules read a reason only where a question begins with it.
  return /\bwhy\b/.test(english) ? `why ${english}` : english;
}
