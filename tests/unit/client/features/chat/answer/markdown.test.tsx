import { cleanup, render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { countWords, Markdown, parseMarkdown } from '#client/features/chat/answer/markdown.tsx';
import { safeLink } from '#client/features/chat/answer/safe-link.ts';

const draw = (text: string, words?: number) => {
  cleanup();
  return render(<Markdown text={text} words={words} />).container;
};

describe('an answer in Markdown', () => {
  it('has paragraphs, emphasis, lists, code and headings', () => {
    const answer = draw('# Title\n\nA **bold** and *soft* `word`.\n\n- one\n- two\n\n3. three\n\n```\nlet x\n```\n\n> said');
    expect(answer.querySelector('h2')?.textContent).toBe('Title');
    expect(answer.querySelector('strong')?.textContent).toBe('bold');
    expect(answer.querySelector('em')?.textContent).toBe('soft');
    expect([...answer.querySelectorAll('ul li')].map((item) => item.textContent)).toEqual(['one', 'two']);
    expect(answer.querySelector('ol')?.getAttribute('start')).toBe('3');
    expect(answer.querySelector('pre code')?.textContent).toBe('let x');
    expect(answer.querySelector('blockquote')?.textContent).toBe('said');
  });

  it('has tables with figures on the right', () => {
    const answer = draw('| Coin | Price |\n|:--|--:|\n| BTC | **$1** |');
    expect([...answer.querySelectorAll('th')].map((cell) => cell.textContent)).toEqual(['Coin', 'Price']);
    expect(answer.querySelectorAll('td')[1]?.dataset.align).toBe('right');
    expect(answer.querySelector('td strong')?.textContent).toBe('$1');
  });

  it('shows HTML as the text it is', () => {
    const answer = draw('<script>alert(1)</script>\n\nHi <img src=x onerror=alert(1)> <b>you</b>\n\n<iframe srcdoc="x"></iframe>');
    expect(answer.querySelector('script, img, b, iframe')).toBeNull();
    expect(answer.textContent).toContain('<script>alert(1)</script>');
    expect(answer.textContent).toContain('<img src=x onerror=alert(1)>');
  });

  it('loads no picture, and links to it instead', () => {
    const answer = draw('![a chart](https://example.com/chart.png) ![evil](javascript:alert(1))');
    expect(answer.querySelector('img')).toBeNull();
    expect([...answer.querySelectorAll('a')].map((link) => link.href)).toEqual(['https://example.com/chart.png']);
    expect(answer.textContent).toContain('evil');
  });

  it('puts no link into a link', () => {
    const answer = draw('[before **![a chart](https://example.com/chart.png)**](https://example.com)');
    expect([...answer.querySelectorAll('a')].map((link) => link.textContent)).toEqual(['before a chart']);
  });

  it('opens other sites without handing them anything', () => {
    const link = draw('[site](https://example.com/x)').querySelector('a');
    expect(link?.target).toBe('_blank');
    expect(link?.rel.split(' ')).toEqual(expect.arrayContaining(['noopener', 'noreferrer']));
  });

  it('keeps its own pages in the app', () => {
    const link = draw('[coin](/crypto/details/1)').querySelector('a');
    expect(link?.getAttribute('href')).toBe('/crypto/details/1');
    expect(link?.target).toBe('');
  });

  it.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd', 'blob:https://x/y'])(
    'makes no link of %s',
    (href) => {
      const answer = draw(`[text](<${href}>)`);
      expect(answer.querySelector('a')).toBeNull();
      expect(answer.textContent).toBe('text');
    },
  );

  it('leaves what is nested too deeply as it was written', () => {
    expect(() => draw('>'.repeat(20_000))).not.toThrow();
  });
});

describe('revealing word by word', () => {
  const text = 'One **two three** four.\n\n| a | b |\n|---|---|\n| c | d |\n\n- e `f g`';
  const total = countWords(parseMarkdown(text));

  it('counts the words that are read, not the marks', () => {
    expect(total).toBe(11);
  });

  it('shows whole elements of the words so far', () => {
    expect(draw(text, 0).textContent).toBe('');
    expect(draw(text, 2).textContent).toBe('One two');
    expect(draw(text, 2).querySelector('strong')?.textContent).toBe('two');
    expect(draw(text, 4).querySelector('table')).toBeNull();
    expect(draw(text, 7).querySelectorAll('tr')).toHaveLength(2);
    expect(draw(text, total).textContent).toBe(draw(text).textContent);
  });

  it('never shows less for more words', () => {
    const lengths = Array.from({ length: total + 1 }, (_, words) => draw(text, words).textContent?.length ?? 0);
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
    expect(new Set(lengths).size).toBe(total + 1);
  });
});

it.each([
  ['/crypto', { href: '/crypto', external: false }],
  ['https://app.test/archive?x=1#y', { href: '/archive?x=1#y', external: false }],
  ['//evil.test/x', { href: 'https://evil.test/x', external: true }],
  ['/\\evil.test', { href: 'https://evil.test/', external: true }],
  ['http://other.test', { href: 'http://other.test/', external: true }],
  ['mailto:a@b.c', undefined],
  ['http://[', undefined],
])('a link to %s', (href, target) => {
  expect(safeLink(href, 'https://app.test')).toEqual(target);
});
