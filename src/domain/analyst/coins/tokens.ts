import { fold } from '#domain/text.ts';

/** A word of a question and its position. */
export interface Token {
  text: string;
  folded: string;
  start: number;
  end: number;
}

/** Splits text into letters and digits. Inner dots stay ("crypto.com"); apostrophes split ("bitcoin's"). */
export const tokenize = (text: string): Token[] =>
  [...text.matchAll(/[\p{L}\p{M}\p{N}]+(?:\.(?=\p{L})[\p{L}\p{M}\p{N}]+)*/gu)].map((match) => ({
    text: match[0],
    folded: fold(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));

/** Returns the folded words of a name or phrase. */
export const foldedWords = (text: string): string[] => tokenize(text).map(({ folded }) => folded);

/** Whether most words start with a capital, so that capitals carry no information. */
export function capitalsMeanNothing(tokens: readonly Token[]): boolean {
  const worded = tokens.filter(({ text }) => /\p{L}{2}/u.test(text));
  return worded.length > 2 && worded.filter(({ text }) => /^\p{Lu}/u.test(text)).length / worded.length > 0.7;
}
