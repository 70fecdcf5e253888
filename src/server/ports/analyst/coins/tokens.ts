import { fold } from '#domain/text.ts';

/** A word of a question and where it stands in it. */
export interface Token {
  text: string;
  folded: string;
  start: number;
  end: number;
}

/** Runs of letters and digits; dots inside stay ("crypto.com"), apostrophes part ("bitcoin's"). */
export const tokenize = (text: string): Token[] =>
  [...text.matchAll(/[\p{L}\p{M}\p{N}]+(?:\.(?=\p{L})[\p{L}\p{M}\p{N}]+)*/gu)].map((match) => ({
    text: match[0],
    folded: fold(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));

/** Words of a name or phrase, folded. */
export const foldedWords = (text: string): string[] => tokenize(text).map(({ folded }) => folded);

/** Whether most words are in capitals or begin with one: then capitals say nothing. */
export function capitalsMeanNothing(tokens: readonly Token[]): boolean {
  const worded = tokens.filter(({ text }) => /\p{L}{2}/u.test(text));
  return worded.length > 2 && worded.filter(({ text }) => /^\p{Lu}/u.test(text)).length / worded.length > 0.7;
}
