import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { interSubset, SUBSET } from '#tools/commands/inter-subset.ts';
import { at } from '#tools/root.mjs';

it('the committed font is the one that the command makes, of at most 20 kB', async () => {
  const committed = readFileSync(at(SUBSET));
  expect(committed.equals(await interSubset())).toBe(true);
  expect(committed.length).toBeLessThanOrEqual(20_000);
});
