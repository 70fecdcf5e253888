import type { MarkedToken, Token, Tokens } from 'marked';
import { parseMarkdown } from '../answer/markdown.tsx';
import { drawable, type Run, type Style } from './break-lines.ts';

/** Lines of one kind: text, or a row of a table. */
export interface Paragraph {
  /** One for text, several for the cells of a row. */
  cells: Run[][];
  /** px from the start. */
  indent: number;
  /** Before the first line of a list's item. */
  marker?: string | undefined;
  /** Space before it, px. */
  gap: number;
}

export const TEXT: Style = { size: 16, weight: 400, color: 'ink' };
const BOLD: Style = { ...TEXT, weight: 600 };
const CODE: Style = { ...TEXT, size: 14, mono: true };
const HEADING: Style = { ...BOLD, size: 18 };
const CELL: Style = { ...TEXT, size: 14 };
const HEAD: Style = { ...CELL, color: 'ink-2' };
const GAP = 12;
const INDENT = 22;
/** Lists in lists are indented so often at most, so that text keeps its room. */
const MAX_DEPTH = 4;

/** Returns the paragraphs of an answer's Markdown. */
export function paragraphsOf(markdown: string): Paragraph[] {
  const found: Paragraph[] = [];
  addBlocks(parseMarkdown(markdown), 0, found);
  return found;
}

function addBlocks(tokens: readonly Token[], depth: number, found: Paragraph[], gap = GAP): void {
  const indent = Math.min(depth, MAX_DEPTH) * INDENT;
  const add = (runs: Run[], more: Partial<Paragraph> = {}) => runs.length > 0 && found.push({ cells: [runs], indent, gap, ...more });
  for (const token of tokens as MarkedToken[]) {
    switch (token.type) {
      case 'space':
      case 'def':
      case 'hr':
        break;
      case 'heading':
        add(runsOf(token.tokens, HEADING));
        break;
      case 'paragraph':
        add(runsOf(token.tokens, TEXT));
        break;
      case 'code':
        add([{ text: drawable(token.text), style: CODE }]);
        break;
      case 'blockquote':
        addBlocks(token.tokens, depth + 1, found);
        break;
      case 'list':
        addList(token, depth, found);
        break;
      case 'table':
        addTable(token, indent, found);
        break;
      default:
        add('tokens' in token && token.tokens ? runsOf(token.tokens, TEXT) : textRun(token.raw, TEXT));
    }
  }
}

function addList({ items, ordered, start }: Tokens.List, depth: number, found: Paragraph[]): void {
  items.forEach((item, index) => {
    const before = found.length;
    addBlocks(item.tokens, depth + 1, found, 4);
    const first = found[before];
    if (first && !first.marker) first.marker = ordered ? `${(typeof start === 'number' ? start : 1) + index}.` : '•';
    if (first && index === 0) first.gap = GAP;
  });
}

function addTable({ header, rows }: Tokens.Table, indent: number, found: Paragraph[]): void {
  const row = (cells: Tokens.TableCell[], style: Style): Run[][] => cells.map(({ tokens }) => runsOf(tokens, style));
  found.push({ cells: row(header, HEAD), indent, gap: GAP });
  for (const cells of rows) found.push({ cells: row(cells, CELL), indent, gap: 6 });
}

const textRun = (text: string, style: Style): Run[] => (text === '' ? [] : [{ text: drawable(text), style }]);

/** Returns the text of inline tokens. A link is its text, and a picture its description. */
function runsOf(tokens: readonly Token[] | undefined, style: Style): Run[] {
  return (tokens ?? []).flatMap((each): Run[] => {
    const token = each as MarkedToken;
    switch (token.type) {
      case 'strong':
        return runsOf(token.tokens, style.weight === 600 ? style : { ...style, weight: 600 });
      case 'em':
      case 'del':
        return runsOf(token.tokens, style);
      case 'link':
        return runsOf(token.tokens, { ...style, color: 'tide' });
      case 'codespan':
        return textRun(token.text, { ...style, mono: true });
      case 'br':
        return textRun('\n', style);
      case 'image':
        return textRun(token.text || token.href, style);
      case 'checkbox':
        return textRun(token.checked ? '☑ ' : '☐ ', style);
      case 'text':
        return 'tokens' in token && token.tokens ? runsOf(token.tokens, style) : textRun(token.text, style);
      default:
        return textRun(token.type === 'escape' ? token.text : token.raw, style);
    }
  });
}
