import { expect, test } from 'vitest';
import { markdownTable, plainTable, withSection } from '#tests/bench/table.ts';

const ROWS = [
  ['Page', 'ms'],
  ['a|b', '1,000'],
];

test('columns line up', () => {
  expect(plainTable(ROWS)).toEqual(['Page  ms', 'a|b   1,000']);
  expect(markdownTable(ROWS)).toEqual(['| Page | ms    |', '| ---- | ----- |', '| a\\|b | 1,000 |']);
});

test('a section is replaced between its comments, and only there', () => {
  const text = 'before\n<!-- bench:a -->\nold\n<!-- /bench:a -->\n<!-- bench:b -->\nstays\n<!-- /bench:b -->\nafter';
  const written = withSection(text, 'a', ['', 'new $& $1', '']);
  expect(written).toBe('before\n<!-- bench:a -->\n\nnew $& $1\n\n<!-- /bench:a -->\n<!-- bench:b -->\nstays\n<!-- /bench:b -->\nafter');
  expect(withSection(written, 'a', ['', 'new $& $1', ''])).toBe(written);
});

test('a missing section is an error', () => {
  expect(() => withSection('no comments', 'a', [])).toThrow('no <!-- bench:a --> … <!-- /bench:a --> in the text');
});
