import { detectLanguage, loadLanguage } from './detect-language.ts';
import type { Language } from './sentences.ts';
import { toEnglish } from './translate-question.ts';

/** Said before the English answer to a question in another language. */
export const OTHER_LANGUAGE = 'I answer in English. I also understand German, Spanish, French, Portuguese, Turkish and Korean.';

export interface InEnglish {
  /** The questions in the words that the rules read. */
  questions: string[];
  /** The language of the answer; undefined for English. */
  language: Language | undefined;
  /** The last question is in a language that the analyst does not know. */
  isOther: boolean;
}

/** Puts questions into English. One whose words tell no language is in that of the question before. */
export async function inEnglish(asked: readonly string[]): Promise<InEnglish> {
  const questions: string[] = [];
  let language: Language | undefined;
  let isOther = false;
  for (const question of asked) {
    const found = detectLanguage(question);
    isOther = found === 'other';
    if (found) language = found === 'en' || found === 'other' ? undefined : await loadLanguage(found);
    questions.push(language ? toEnglish(question, language) : question);
  }
  return { questions, language, isOther };
}
