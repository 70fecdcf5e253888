import { expect, test } from 'vitest';
import { groupBy } from '#server/group-by.ts';

test('groups rows and keeps their order', () => {
  expect([...groupBy([3, 1, 4, 6], (number) => number % 2)]).toEqual([
    [1, [3, 1]],
    [0, [4, 6]],
  ]);
});
