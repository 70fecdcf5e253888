import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ArchiveRows } from '#client/features/archive/rows/archive-rows.tsx';
import { Markdown } from '#client/features/chat/answer/markdown.tsx';
import { Messages } from '#client/features/chat/conversation/messages.tsx';
import { endSession, signIn } from '#client/platform/session/session.ts';
import corpus from '#tests/fixtures/xss.json';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { chatRow } from '#tests/support/chat/chat-rows.ts';

/** Elements that an answer may contain. */
const ELEMENTS = new Set('P H2 STRONG EM DEL CODE PRE BLOCKQUOTE OL UL LI A BR HR SECTION TABLE THEAD TBODY TR TH TD'.split(' '));
const ATTRIBUTES = new Set(['class', 'data-depth', 'data-align', 'start', 'aria-label', 'tabindex', 'href', 'target', 'rel']);

/** Lists unexpected elements and attributes. */
function strange(root: Element): string[] {
  return [...root.querySelectorAll('*')].flatMap((element) => [
    ...(ELEMENTS.has(element.tagName) ? [] : [element.outerHTML]),
    ...[...element.attributes].filter(({ name }) => !ATTRIBUTES.has(name)).map(({ name, value }) => `${element.tagName} ${name}=${value}`),
  ]);
}

/** Lists links that are neither to a page of the app nor safe links to another site. */
const unsafe = (root: Element) =>
  [...root.querySelectorAll('a')].filter((link) => {
    const href = link.getAttribute('href') ?? '';
    if (/^\/(?![/\\])/.test(href)) return link.hasAttribute('target');
    return !/^https?:\/\//.test(href) || link.target !== '_blank' || !/noopener noreferrer/.test(link.rel);
  });

afterEach(cleanup);

it('the corpus is large, and no payload is in it twice', () => {
  expect(new Set(corpus.map(({ text }) => text)).size).toBe(corpus.length);
  expect(corpus.length).toBeGreaterThanOrEqual(50);
});

describe.each(corpus)('$name', ({ text }) => {
  it('is an answer of harmless elements, in full and while it is typed out', () => {
    for (const words of [undefined, 1, 2, 3]) {
      const { container, unmount } = render(<Markdown text={text} words={words} />);
      const drawn = container.firstElementChild as Element;
      expect(strange(drawn)).toEqual([]);
      expect(unsafe(drawn)).toEqual([]);
      unmount();
    }
  });

  it('is harmless between other words', () => {
    for (const around of [`Before **${text}** after`, `- ${text}\n\n| a |\n|---|\n| ${text} |`, `[${text}](https://example.com)`]) {
      const { container, unmount } = render(<Markdown text={around} />);
      const drawn = container.firstElementChild as Element;
      expect(strange(drawn)).toEqual([]);
      expect(unsafe(drawn)).toEqual([]);
      unmount();
    }
  });
});

describe('questions, errors and titles', () => {
  beforeEach(() => signIn(makeTokens({ sub: 'xss' }), true));
  afterEach(() => {
    cleanup();
    return endSession();
  });

  it('are the text they are', () => {
    const messages = corpus.flatMap(({ text }, at) => [
      chatRow({ id: `q${at}`, user_message: text }),
      chatRow({ id: `f${at}`, ai_response: text, failed: true }),
    ]);
    const { container } = render(<Messages messages={messages} current editing={undefined} onRead={() => {}} onAsk={() => {}} />);
    expect(container.querySelector('script, img, iframe, object, embed, form, style, input, video, math')).toBeNull();
    const shown = container.textContent ?? '';
    expect(corpus.filter(({ text }) => shown.split(text).length - 1 < 2)).toEqual([]);
  });

  it('name a row by their characters', () => {
    const archives = corpus.map(({ text }, at) => ({ id: `a${at}`, archive_title: text, created_at: '2026-01-01T00:00:00.000Z' }));
    render(<ArchiveRows archives={archives} unsent={new Set()} />);
    expect(screen.getAllByRole('link').map((link) => link.firstElementChild?.innerHTML.length)).not.toContain(0);
    expect(screen.getAllByRole('link').map((link) => link.firstElementChild?.textContent)).toEqual(corpus.map(({ text }) => text));
    expect(document.querySelector('script, img, iframe, form, style, input')).toBeNull();
  });
});
