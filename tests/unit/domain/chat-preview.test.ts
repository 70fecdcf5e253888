import { expect, it } from 'vitest';
import { tellsOwn } from '#domain/analyst/answers/tells-of-account.ts';
import { messagePreview, previewOf } from '#domain/chat-preview.ts';

it.each([
  ['  Where is\n\n support? ', 'Where is support?'],
  ['', ''],
  ['x'.repeat(8_000), 'x'.repeat(100)],
  ['🚀'.repeat(4_000), '🚀'.repeat(100)],
  [`${' '.repeat(399)}🚀🚀`, '🚀'],
])('a question is previewed in one line, never with half an emoji', (question, preview) => {
  expect(previewOf(question)).toBe(preview);
});

const answered = (answer: string) => messagePreview({ question: 'Q?', answer, waits: false, failed: false }).preview;

it.each([
  ['**Bitcoin (BTC)** is at **$63,000.00**, _up_ 1.31%.', 'Bitcoin (BTC) is at $63,000.00, up 1.31%.'],
  ['## Levels\n\n- R1: `$64,000`\n- S1: ~~$62,000~~ $61,000', 'Levels R1: $64,000 S1: $62,000 $61,000'],
  ['| Coin | Price |\n|:--|--:|\n| ETH | $3 |', 'ETH $3'],
  ['> 1. [Trading Bot](/trading-bot) shows it', 'Trading Bot shows it'],
  ['See ![chart](https://x.test/a.png) and <https://x.test>', 'See chart and https://x.test'],
  ['```js\nlet a = 1;\n```\n---\nDone', 'let a = 1; Done'],
  ['2 * 3 * 4 and snake_case_name stay', '2 * 3 * 4 and snake_case_name stay'],
  ['\\*not bold\\* and 5\\. item', '*not bold* and 5. item'],
  [`${'y'.repeat(380)} [a link](https://x.test/${'z'.repeat(90)})`, 'y'.repeat(100)],
  [`[a link](https://x.test/${'z'.repeat(900)})`, 'a link'],
  ['- \n1. \n', 'Q?'],
])('an answer is previewed without the signs of Markdown: %s', (answer, preview) => {
  expect(answered(answer)).toBe(preview);
});

it('previews 100,000 hostile characters at once', () => {
  for (const text of ['*', '[', '[](', '_a', '`', '|', '> ', '1. ', '\\', '<https:'])
    expect(answered(text.repeat(100_000 / text.length)).length).toBeLessThanOrEqual(100);
});

it.each([
  [
    { answer: 'A', waits: false, failed: false },
    { preview: 'A', preview_of: 'answer' },
  ],
  [
    { answer: '', waits: true, failed: false },
    { preview: 'Q?', preview_of: 'waiting' },
  ],
  [
    { answer: 'Sorry', waits: false, failed: true },
    { preview: 'Q?', preview_of: 'failed' },
  ],
  [
    { answer: '', waits: false, failed: false },
    { preview: 'Q?', preview_of: 'question' },
  ],
])('a question replaces a missing answer: %o', (message, preview) => {
  expect(messagePreview({ question: ' Q? ', ...message })).toEqual(preview);
});

it.each([
  [{ sources: [{ tool: 'quotes' }, { tool: 'account' }] }, true],
  [{ sources: [{ tool: 'quotes' }, null] }, false],
  [{ sources: 'account' }, false],
  [null, false],
  [undefined, false],
])('%o is about the user: %s', (figures, tells) => {
  expect(tellsOwn(figures)).toBe(tells);
});
