import { expect, it } from 'vitest';
import { putNewest } from '#server/put-newest.ts';

it('deletes the entries that were put the longest time ago', () => {
  const map = new Map<string, number>();
  for (const key of ['a', 'b', 'a', 'c']) putNewest(map, key, 1, 2);
  expect([...map.keys()]).toEqual(['a', 'c']);
});
