import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { interSubset, pathOf, SUBSETS } from '#tools/commands/inter-subset.ts';

it('the committed fonts are those that the command makes, of at most 20 kB together', async () => {
  const committed = SUBSETS.map(({ file }) => readFileSync(pathOf(file)));
  const made = await Promise.all(SUBSETS.map(interSubset));
  expect(committed.map((font, index) => made[index]?.equals(font))).toEqual([true, true]);
  expect(committed.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(20_000);
});
