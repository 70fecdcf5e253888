import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { createElement, Fragment, memo, type ReactNode, useMemo } from 'react';
import styles from './markdown.module.css';
import { safeLink } from './safe-link.ts';
import { Words } from './word-budget.ts';

/** Reads Markdown. Text that is too deeply nested to be read stays as it was written. */
export function parseMarkdown(text: string): Token[] {
  try {
    return Lexer.lex(text);
  } catch {
    return [{ type: 'text', raw: text, text } satisfies Tokens.Text];
  }
}

/** How many words the reader gets to see. */
export function countWords(tokens: Token[]): number {
  const words = new Words(Number.POSITIVE_INFINITY);
  children(tokens, words);
  return words.taken;
}

/** Spread as arguments, the children need no keys: they only ever grow at the end. */
const children = (tokens: Token[] | undefined, words: Words): ReactNode =>
  createElement(Fragment, null, ...(tokens ?? []).map((token) => element(token as MarkedToken, words)));

/** One token as elements of ours. HTML is shown as the text it is, and no picture is ever loaded. */
function element(token: MarkedToken, words: Words): ReactNode {
  if (words.spent) return null;
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'paragraph':
      return <p>{children(token.tokens, words)}</p>;
    case 'heading':
      // All on one level below the page's own heading, which an answer cannot know.
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
      return <code>{words.take(token.text)}</code>;
    case 'code':
      return (
        <pre>
          <code>{words.take(token.text)}</code>
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
      return 'tokens' in token && token.tokens ? children(token.tokens, words) : words.take(token.text);
    default:
      return words.take(token.type === 'escape' ? token.text : token.raw);
  }
}

/** Pictures of a link become their text: a link within a link is none. */
const withoutPictures = (tokens: Token[]): Token[] =>
  tokens.map((token) => {
    if (token.type === 'image') return { type: 'text', raw: token.raw, text: token.text || token.href } satisfies Tokens.Text;
    return 'tokens' in token && token.tokens ? { ...token, tokens: withoutPictures(token.tokens) } : token;
  });

function link({ href, text, tokens }: Pick<Tokens.Link, 'href' | 'text' | 'tokens'>, words: Words): ReactNode {
  const content = tokens.length > 0 ? children(withoutPictures(tokens), words) : words.take(text);
  const target = safeLink(href);
  if (!target) return content;
  return target.external ? (
    <a href={target.href} target="_blank" rel="noopener noreferrer nofollow">
      {content}
    </a>
  ) : (
    <a href={target.href}>{content}</a>
  );
}

function table({ header, rows }: Tokens.Table, words: Words): ReactNode {
  const row = (name: 'th' | 'td', cells: Tokens.TableCell[]) =>
    createElement(
      'tr',
      null,
      ...cells.map((cell) => createElement(name, { 'data-align': cell.align ?? 'left' }, children(cell.tokens, words))),
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls sideways, also by keyboard
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
  /** Shows only so many words; all of them without it. */
  words?: number | undefined;
}

/** An answer, drawn from its Markdown without ever going through HTML. */
export const Markdown = memo(({ text, words = Number.POSITIVE_INFINITY }: MarkdownProps) => {
  const tokens = useMemo(() => parseMarkdown(text), [text]);
  return <div className={styles.markdown}>{children(tokens, new Words(words))}</div>;
});
