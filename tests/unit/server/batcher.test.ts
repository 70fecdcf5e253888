import { expect, test } from 'vitest';
import { gather, groupBy } from '#server/batcher.ts';

test('what is asked while a round is on shares the next one, in its order', async () => {
  const rounds: (readonly number[])[] = [];
  const double = gather(async (numbers: readonly number[]) => {
    rounds.push(numbers);
    return numbers.map((number) => number * 2);
  });
  const more: Promise<number>[] = [];
  const first = [1, 2].map(async (number) => {
    const answer = await double(number);
    more.push(double(answer * 10));
    return answer;
  });
  expect(await Promise.all(first)).toEqual([2, 4]);
  expect(await Promise.all(more)).toEqual([40, 80]);
  expect(rounds).toEqual([
    [1, 2],
    [20, 40],
  ]);
});

test('a round is no larger than a statement can be', async () => {
  const sizes: number[] = [];
  const same = gather(async (items: readonly number[]) => {
    sizes.push(items.length);
    return items;
  });
  await Promise.all(Array.from({ length: 600 }, (_, index) => same(index)));
  expect(sizes).toEqual([250, 250, 100]);
});

test('an error in the place of an answer is one item’s alone', async () => {
  const odd = gather(async (items: readonly number[]) => items.map((item) => (item % 2 ? item : new Error(`${item} is even`))));
  expect(await Promise.allSettled([1, 2, 3].map(odd))).toEqual([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: new Error('2 is even') },
    { status: 'fulfilled', value: 3 },
  ]);
});

test('a round that fails is tried item by item, and the one at fault takes nobody along', async () => {
  const tried: (readonly string[])[] = [];
  const write = gather(async (items: readonly string[]) => {
    tried.push(items);
    if (items.includes('bad')) throw new Error('the whole statement failed');
    return items;
  });
  expect(await Promise.allSettled(['a', 'bad', 'b'].map(write))).toEqual([
    { status: 'fulfilled', value: 'a' },
    { status: 'rejected', reason: new Error('the whole statement failed') },
    { status: 'fulfilled', value: 'b' },
  ]);
  expect(tried).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']]);
  expect(await write('c')).toBe('c');
});

test('rows are grouped in their order', () => {
  expect([...groupBy([3, 1, 4, 6], (number) => number % 2)]).toEqual([
    [1, [3, 1]],
    [0, [4, 6]],
  ]);
});
