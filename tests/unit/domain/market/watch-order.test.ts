import { expect, it } from 'vitest';
import { moved } from '#domain/market/watch-order.ts';

it.each([
  [1, 4, [2, 3, 1, 4]],
  [4, 1, [4, 1, 2, 3]],
  [2, null, [1, 3, 4, 2]],
  [3, 4, [1, 2, 3, 4]],
  [4, null, [1, 2, 3, 4]],
  [2, 2, [1, 2, 3, 4]],
  [9, 1, [1, 2, 3, 4]],
  [1, 9, [1, 2, 3, 4]],
])('moves %s before %s', (id, before, expected) => {
  expect(moved([1, 2, 3, 4], id, before)).toEqual(expected);
});

it('returns the same array if nothing changes', () => {
  const ids = [1, 2];
  expect(moved(ids, 1, 2)).toBe(ids);
});
