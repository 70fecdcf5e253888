import { expect, it } from 'vitest';
import { previewOf } from '#domain/chat-preview.ts';

it.each([
  ['  Where is\n\n support? ', 'Where is support?'],
  ['', ''],
  ['x'.repeat(8_000), 'x'.repeat(100)],
  ['🚀'.repeat(4_000), '🚀'.repeat(100)],
  [`${' '.repeat(399)}🚀🚀`, '🚀'],
])('a question is previewed in one line, never with half an emoji', (question, preview) => {
  expect(previewOf(question)).toBe(preview);
});
