/** Maximum characters of a preview. */
const LENGTH = 100;
/** Characters of a question that its preview is made of. */
export const PREVIEWED = 4 * LENGTH;

/** Returns the start of a question in one line, for a list. */
export function previewOf(question: string): string {
  const characters = [...question.slice(0, 2 * PREVIEWED)].slice(0, PREVIEWED).join('');
  return [...characters.replace(/\s+/g, ' ').trim()].slice(0, LENGTH).join('');
}
