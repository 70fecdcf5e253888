import { expect, test } from 'vitest';
import { createFairSlots, createSlots } from '#server/slots.ts';

test('runs at most its size at once, in order of arrival, and survives failures', async () => {
  const inSlot = createSlots(2);
  let running = 0;
  let most = 0;
  const begun: number[] = [];
  const results = await Promise.allSettled(
    Array.from({ length: 7 }, (_, index) =>
      inSlot(async () => {
        begun.push(index);
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        if (index === 1) throw new Error('one fails');
        return index;
      }),
    ),
  );
  expect(most).toBe(2);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', ...Array(5).fill('fulfilled')]);
});

/** Fair slots whose tasks end when the test says so, and the order in which they started. */
function stage(limits: { size: number; each: number }) {
  const inSlot = createFairSlots(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (name: string) =>
    inSlot(name.charAt(0), () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  };
  return { add, begun, end };
}

test('owners take turns, however many tasks one of them has', async () => {
  const { add, begun, end } = stage({ size: 1, each: 1 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void add(name);
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('one owner never has more than its share, and free slots go to others', async () => {
  const { add, begun, end } = stage({ size: 3, each: 2 });
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void add(name);
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await end('b1');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
  await end('a2');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
});

test('a late owner waits for one round, not for the whole queue', async () => {
  const { add, begun, end } = stage({ size: 2, each: 2 });
  for (let count = 1; count <= 50; count++) void add(`a${count}`);
  void add('z1');
  await end('a1');
  await end('a2');
  expect(begun.indexOf('z1')).toBeLessThanOrEqual(3);
});
