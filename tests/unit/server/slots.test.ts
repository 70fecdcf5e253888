import { expect, test } from 'vitest';
import { createSlots } from '../../../src/server/slots';

test('runs no more than its size at once, in order of arrival, and survives failures', async () => {
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
