/** Maximum characters of a preview. */
const LENGTH = 100;
/** Characters of a question or an answer that its preview is made of. */
export const PREVIEWED = 4 * LENGTH;

/** Returns the start of a question in one line, for a list. */
export const previewOf = (question: string): string => inLine(startOf(question));

/** The newest message of a chat. `answer` is Markdown, empty without one. */
export interface Newest {
  question: string;
  answer: string;
  /** Not answered yet. */
  waits: boolean;
  failed: boolean;
}

/** Returns the line for a chat's newest message, and what it is: the answer, or the question of which there is none. */
export function messagePreview({ question, answer, waits, failed }: Newest): {
  preview: string;
  preview_of: 'answer' | 'question' | 'waiting' | 'failed';
} {
  const line = waits || failed ? '' : inLine(plainOf(startOf(answer)));
  if (line) return { preview: line, preview_of: 'answer' };
  return { preview: previewOf(question), preview_of: waits ? 'waiting' : failed ? 'failed' : 'question' };
}

const startOf = (text: string): string => [...text.slice(0, 2 * PREVIEWED)].slice(0, PREVIEWED).join('');

const inLine = (text: string): string => [...text.replace(/\s+/g, ' ').trim()].slice(0, LENGTH).join('');

/** Private characters that stand for escaped signs, so that these stay. */
const ESCAPED = 0xe000;

/** Returns Markdown without its signs. */
const plainOf = (markdown: string): string =>
  markdown
    .replace(/\\([!-/:-@[-`{-~])/g, (_, sign: string) => String.fromCharCode(ESCAPED + sign.charCodeAt(0)))
    .replace(/^[ \t]*```.*$/gm, ' ')
    .replace(/^[ \t]*\|.*\n[ \t]*\|[ \t|:]*-[ \t|:-]*$/gm, ' ') // the headings of a table
    .replace(/^[ \t|:*_=-]{3,}$/gm, ' ') // lines
    .replace(/^[ \t]*\|.*$/gm, (row) => row.replaceAll('|', ' '))
    .replace(/^[ \t]*(?:(?:#{1,6}|>|[-*+]|\d{1,9}[.)])(?:[ \t]+|$))+/gm, '')
    .replace(/!?\[([^[\]\n]*)\]\([^)\n]*(?:\)|$)/g, '$1')
    .replace(/<(https?:[^>\s]*)>/g, '$1')
    .replace(/\*\*|__|~~|`/g, '')
    .replace(/(^|[\s(])([*_])([^\s*_](?:[^*_\n]*[^\s*_])?)\2(?=[\s).,;:!?]|$)/gm, '$1$3')
    .replace(/[\ue000-\ue07f]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - ESCAPED));
