/** Characters of a question. */
export const MAX_QUESTION = 4000;

/** Returns why a question is refused; undefined if it is not. Without zod, which a stored conversation does not load. */
export function questionFault(text: string): string | undefined {
  if (text.length > MAX_QUESTION) return `At most ${MAX_QUESTION.toLocaleString('en-US')} characters`;
  return text.trim() === '' ? 'Enter chat description!' : undefined;
}
