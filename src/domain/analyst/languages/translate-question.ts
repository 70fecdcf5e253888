import { plainLetters } from './detect-language.ts';
import type { Language } from './sentences.ts';

/** Characters of a question that are translated. */
const READ = 600;

/** The small letters of the languages, without accents, and those of Latin that have none to lose. */
const LETTERS = 'a-z\\u00df-\\u024f\\uac00-\\ud7a3';

const patterns = new WeakMap<Language, RegExp>();

/** One pattern of all phrases, each in a group of its own, so that no English is translated again. */
function patternOf(language: Language): RegExp {
  const known = patterns.get(language);
  if (known) return known;
  const [before, after] = language.hasWordEnds ? [`(?<![${LETTERS}\\d])`, `(?![${LETTERS}\\d])`] : ['', ''];
  const phrases = language.phrases.map(([phrase]) => `(${phrase.replaceAll('\\p{L}', `[${LETTERS}]`)})`).join('|');
  // The flags i and u, and classes of all scripts, multiply the time to compile: the text is in small letters.
  const made = new RegExp(`${before}(?:${phrases})${after}`, 'g');
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

/** Replaces the phrases of a text by their English; what is between them keeps its capitals. */
function withPhrases(text: string, language: Language): string {
  const small = text.toLowerCase();
  let english = '';
  let from = 0;
  // Letters that change their length are not of these languages: then capitals are left alone.
  for (const { 0: whole, index, ...groups } of (small.length === text.length ? small : text).matchAll(patternOf(language))) {
    const at = language.phrases.findIndex((_, place) => groups[place + 1] !== undefined);
    english += text.slice(from, index) + (language.phrases[at]?.[1] ?? whole);
    from = index + whole.length;
  }
  return english + text.slice(from);
}

/** Copies a text letter by letter: V8 keeps two bytes a letter after a change, and compiles each pattern of the rules again for such texts. */
const asLatin = (text: string): string => [...text].join('');

/** Puts a question into the English words that the rules read. Names and numbers stay. */
export function toEnglish(question: string, language: Language): string {
  let text = plainLetters(question.slice(0, READ).normalize('NFKC'));
  for (const [pattern, english] of language.rewrites ?? []) text = text.replace(pattern, english);
  const english = withPhrases(toEnglishNumbers(text, language.locale), language).replace(/[¿¡]/g, '').replace(/\s+/g, ' ').trim();
  // The rules read a reason only where a question begins with it.
  return asLatin(/\bwhy\b/.test(english) ? `why ${english}` : english);
}
