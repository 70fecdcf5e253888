import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { createElement, Fragment, memo, type ReactNode, useMemo } from 'react';
import { keepNewest } from '#client/platform/cache/keep-newest.ts';
import { onForget } from '#client/platform/cache/memory.ts';
import { withFigures, withoutMarks } from './figure-marks.tsx';
import styles from './markdown.module.css';
import { safeLink } from './safe-link.ts';
import { WordBudget } from './word-budget.ts';

/** Texts that were parsed ahead, the oldest first. */
const prepared = new Map<string, Token[]>();
const MAX_PREPARED = 12;
onForget(() => prepared.clear());

/** Parses Markdown before it is shown. */
export const prepareMarkdown = (text: string): void => keepNewest(prepared, text, parseMarkdown(text), MAX_PREPARED);

/** Parses Markdown. Text that is nested too deeply to parse stays plain text. */
export function parseMarkdown(text: string): Token[] {
  const known = prepared.get(text);
  if (known) return known;
  try {
    return Lexer.lex(text);
  } catch {
    return [{ type: 'text', raw: text, text } satisfies Tokens.Text];
  }
}

/** Counts the visible words. */
export function countWords(tokens: Token[]): number {
  const words = new WordBudget(Number.POSITIVE_INFINITY);
  children(tokens, words);
  return words.taken;
}

/** The children are spread as arguments and need no keys, because they only grow at the end. */
const children = (tokens: Token[] | undefined, words: WordBudget): ReactNode =>
  createElement(Fragment, null, ...(tokens ?? []).map((token) => element(token as MarkedToken, words)));

/** Renders one token. HTML is shown as plain text, and images are never loaded. */
function element(token: MarkedToken, words: WordBudget): ReactNode {
  if (words.spent) return null;
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'paragraph':
      return <p>{children(token.tokens, words)}</p>;
    case 'heading':
      // Every heading is an h2, because the page owns the h1.
      return (
        <h2 className={styles.heading} data-depth={token.depth}>
          {children(token.tokens, words)}
        </h2>
      );
    case 'strong':
      return <strong>{children(token.tokens, words)}</strong>;
    case 'em':
      return <em>{children(token.tokens, words)}</em>;
    case 'del':
      return <del>{children(token.tokens, words)}</del>;
    case 'codespan':
      return <code>{withoutMarks(words.take(token.text))}</code>;
    case 'code':
      return (
        <pre>
          <code>{withoutMarks(words.take(token.text))}</code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{children(token.tokens, words)}</blockquote>;
    case 'list':
      return createElement(
        token.ordered ? 'ol' : 'ul',
        token.ordered && typeof token.start === 'number' ? { start: token.start } : null,
        ...token.items.map((item) => !words.spent && <li>{children(item.tokens, words)}</li>),
      );
    case 'table':
      return table(token, words);
    case 'link':
      return link(token, words);
    case 'image':
      return link({ ...token, text: token.text || token.href, tokens: [] }, words);
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'br':
      return <br />;
    case 'hr':
      return <hr />;
    case 'text':
      return 'tokens' in token && token.tokens ? children(token.tokens, words) : withFigures(words.take(token.text));
    default:
      return withFigures(words.take(token.type === 'escape' ? token.text : token.raw));
  }
}

/** Replaces images and figures inside a link by their text, because links and buttons cannot be nested. */
const withoutNested = (tokens: Token[]): Token[] =>
  tokens.map((token) => {
    if (token.type === 'image') return { type: 'text', raw: token.raw, text: token.text || token.href } satisfies Tokens.Text;
    const plain = 'text' in token ? { ...token, text: withoutMarks(token.text), raw: withoutMarks(token.raw) } : token;
    return 'tokens' in token && token.tokens ? { ...plain, tokens: withoutNested(token.tokens) } : plain;
  });

function link({ href, text, tokens }: Pick<Tokens.Link, 'href' | 'text' | 'tokens'>, words: WordBudget): ReactNode {
  const content = tokens.length > 0 ? children(withoutNested(tokens), words) : withoutMarks(words.take(text));
  const target = safeLink(withoutMarks(href));
  if (!target) return content;
  return target.external ? (
    <a href={target.href} target="_blank" rel="noopener noreferrer nofollow">
      {content}
    </a>
  ) : (
    <a href={target.href}>{content}</a>
  );
}

function table({ header, rows }: Tokens.Table, words: WordBudget): ReactNode {
  const row = (name: 'th' | 'td', cells: Tokens.TableCell[]) =>
    createElement(
      'tr',
      null,
      ...cells.map((cell) => createElement(name, { 'data-align': cell.align ?? 'left' }, children(cell.tokens, words))),
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll wide tables
    <section className={styles.table} aria-label="Table" tabIndex={0}>
      <table>
        <thead>{row('th', header)}</thead>
        {createElement('tbody', null, ...rows.map((cells) => !words.spent && row('td', cells)))}
      </table>
    </section>
  );
}

interface MarkdownProps {
  text: string;
  /** Maximum number of words to show. Default: all. */
  words?: number | undefined;
}

/** Renders an answer's Markdown as elements, never as HTML. */
export const Markdown = memo(({ text, words = Number.POSITIVE_INFINITY }: MarkdownProps) => {
  const tokens = useMemo(() => parseMarkdown(text), [text]);
  return <div className={styles.markdown}>{children(tokens, new WordBudget(words))}</div>;
});
