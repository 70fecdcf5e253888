import { expect, test } from 'vitest';
import { piecesOf } from '#server/modules/archives/pieces.ts';

const END = 2 ** 31 - 1;

test('short archives share a batch, in order', () => {
  const archives = [3, 4, 5, 0, 2].map((questions, index) => ({ id: `${index}`, questions }));
  expect(piecesOf(archives, 10)).toEqual([
    { ids: ['0', '1'], from: 0, to: END },
    { ids: ['2', '3', '4'], from: 0, to: END },
  ]);
});

test('a long archive splits into batches that cover it once, from its end', () => {
  const archives = [
    { id: 'short', questions: 1 },
    { id: 'long', questions: 25 },
    { id: 'last', questions: 10 },
  ];
  expect(piecesOf(archives, 10)).toEqual([
    { ids: ['short'], from: 0, to: END },
    { ids: ['long'], from: 16, to: 25 },
    { ids: ['long'], from: 6, to: 15 },
    { ids: ['long'], from: 1, to: 5 },
    { ids: ['last'], from: 0, to: END },
  ]);
});

test('no archives give no batches', () => expect(piecesOf([], 10)).toEqual([]));
