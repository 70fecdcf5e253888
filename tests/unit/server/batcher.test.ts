import { expect, test } from 'vitest';
import { createBatcher } from '#server/batcher.ts';

test('items that arrive while a batch runs share the next batch, in order', async () => {
  const batches: (readonly number[])[] = [];
  const double = createBatcher(async (numbers: readonly number[]) => {
    batches.push(numbers);
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
  expect(batches).toEqual([
    [1, 2],
    [20, 40],
  ]);
});

test('a batch stays within the limit of one statement', async () => {
  const sizes: number[] = [];
  const same = createBatcher(async (items: readonly number[]) => {
    sizes.push(items.length);
    return items;
  });
  await Promise.all(Array.from({ length: 600 }, (_, index) => same(index)));
  expect(sizes).toEqual([250, 250, 100]);
});

test('an Error in place of an answer rejects only its own item', async () => {
  const odd = createBatcher(async (items: readonly number[]) => items.map((item) => (item % 2 ? item : new Error(`${item} is even`))));
  expect(await Promise.allSettled([1, 2, 3].map(odd))).toEqual([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: new Error('2 is even') },
    { status: 'fulfilled', value: 3 },
  ]);
});

test('a failed batch is retried item by item, and only the invalid item fails', async () => {
  const tried: (readonly string[])[] = [];
  const write = createBatcher(async (items: readonly string[]) => {
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

test('a pause between batches lets more items share one', async () => {
  const batches: (readonly number[])[] = [];
  const same = createBatcher(
    async (items: readonly number[]) => {
      batches.push(items);
      return items;
    },
    { pause: 500 },
  );
  await same(1);
  const later: Promise<number>[] = [];
  for (let item = 2; item < 12; item++) {
    later.push(same(item));
    await new Promise(setImmediate);
  }
  await Promise.all(later);
  expect(batches.flat()).toEqual(Array.from({ length: 11 }, (_, index) => index + 1));
  // Two, and one more where the process was held up for longer than the pause. Without the pause, each item has its own.
  expect(batches.length).toBeLessThanOrEqual(3);
});
