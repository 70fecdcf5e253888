import { describe, expect, it } from 'vitest';
import { breakLines, type Measure, type Style } from '#client/features/chat/image/break-lines.ts';
import { type Exchange, IMAGE_WIDTH, layOut, MAX_IMAGE_HEIGHT } from '#client/features/chat/image/lay-out.ts';
import { RISK } from '#domain/analyst/answers/stamp.ts';

/** Every UTF-16 unit is as wide as half the size of its text. */
const measure: Measure = (text, { size }) => (text.length * size) / 2;
const style: Style = { size: 16, weight: 400, color: 'ink' };
const linesOf = (text: string, width = 160) =>
  breakLines([{ text, style }], width, measure).map(({ runs }) => runs.map((run) => run.text).join(''));
const exchange = (given: Partial<Exchange> = {}): Exchange => ({
  question: 'What is the price of Bitcoin?',
  answer: 'It is **$70,000.00**.',
  askedAt: '13 May 2026, 09:30 UTC',
  sources: [],
  hasPicture: false,
  ...given,
});
const imageOf = (exchanges: Exchange[], title = 'Bitcoin') => layOut({ title, exchanges, madeAt: '13 May 2026, 09:31 UTC' }, measure);

describe('lines', () => {
  it('break at spaces and at the ends of lines', () => {
    expect(linesOf('one two three four five')).toEqual(['one two three four ', 'five']);
    expect(linesOf('one\n\ntwo')).toEqual(['one', '', 'two']);
  });

  it('break a word that is longer than a line, between characters as readers see them', () => {
    expect(linesOf('x'.repeat(45)).map(({ length }) => length)).toEqual([20, 20, 5]);
    const family = '👨‍👩‍👧‍👦';
    expect(linesOf(family.repeat(5)).join('|')).toBe([family, family, family, family, family].join('|'));
    expect(linesOf('a'.repeat(4000)).join('')).toBe('a'.repeat(4000));
  });

  it('never end in an endless loop, however narrow they are', () => {
    expect(linesOf('abc', 1)).toEqual(['a', 'b', 'c']);
  });

  it('know their direction', () => {
    expect(breakLines([{ text: '"שלום" world', style }], 500, measure)[0]?.isRtl).toBe(true);
    expect(breakLines([{ text: '1. hello שלום', style }], 500, measure)[0]?.isRtl).toBe(false);
  });
});

describe('the image of a chat', () => {
  it('has title, question, answer, figures, times and the risk', () => {
    const { text, isCut } = imageOf([exchange({ sources: ['Kraken BTC/USD, 13 May 2026, 09:30 UTC'], hasPicture: true })]);
    for (const said of [
      'Bitcoin',
      '[Picture]',
      'What is the price of Bitcoin?',
      'It is $70,000.00.',
      '13 May 2026, 09:30 UTC',
      'Kraken BTC/USD',
      RISK,
    ])
      expect(text.replaceAll(' \n', ' ')).toContain(said);
    expect(isCut).toBe(false);
  });

  it.each([
    ['4,000 characters without a space', 'x'.repeat(4000)],
    ['emoji', '🧑‍🚀'.repeat(300)],
    ['right-to-left text', 'שלום עולם '.repeat(60)],
    ['a table', `| a | b | c |\n|---|---|---|\n| ${'x'.repeat(200)} | y | z |`],
    ['lists in lists', Array.from({ length: 12 }, (_, depth) => `${'  '.repeat(depth)}- item ${depth} ${'y'.repeat(100)}`).join('\n')],
    ['code', `\`\`\`\n${'z'.repeat(500)}\n\`\`\``],
    ['HTML', '<script>alert(1)</script><img src=x onerror=alert(1)>'],
  ])('keeps %s within it', (_, text) => {
    for (const given of [{ question: text }, { answer: text }]) {
      const { ops, width, height } = imageOf([exchange(given)], text);
      expect(width).toBe(IMAGE_WIDTH);
      for (const op of ops) {
        const [from, to] =
          op.kind === 'box'
            ? [op.x, op.x + op.width]
            : op.isRtl
              ? [op.x - measure(op.text.trimEnd(), op.style), op.x]
              : [op.x, op.x + measure(op.text.trimEnd(), op.style)];
        expect(from).toBeGreaterThanOrEqual(0);
        expect(to).toBeLessThanOrEqual(IMAGE_WIDTH);
        expect(op.kind === 'box' ? op.y + op.height : op.y).toBeLessThanOrEqual(height);
      }
    }
  });

  it('ends at a sensible height, and says so', () => {
    const { height, isCut, text, ops } = imageOf(Array.from({ length: 60 }, () => exchange({ answer: 'word '.repeat(400) })));
    expect(height).toBeLessThanOrEqual(MAX_IMAGE_HEIGHT);
    expect(isCut).toBe(true);
    expect(text).toContain('The rest of this chat is left out.');
    expect(text.replaceAll(' \n', ' ')).toContain(RISK);
    for (const op of ops) if (op.kind === 'box') expect(op.height).toBeGreaterThan(0);
  });

  it('has no control character, no mark of a figure and no tower of accents', () => {
    const { ops } = imageOf([exchange({ answer: `a\u0000b\ue100c${'\u0301'.repeat(50)}d` })]);
    const drawn = ops.flatMap((op) => (op.kind === 'text' ? op.text : [])).join('');
    expect(drawn).toContain(`abc${'\u0301'.repeat(4)}d`);
  });
});
