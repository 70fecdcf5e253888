import { expect, test } from 'vitest';
import { runAttacks } from '#tests/attack/run-attacks.ts';
import { lineOf } from '#tests/attack/table.ts';
import { buildServer } from '#tests/support/processes/operator.ts';

/** The attack that calls each route; `npm run nightly` makes all of them, at full length. */
const ATTACKS = ['requests with mistakes'];

test('a short attack is held off while other users keep being served', { timeout: 300_000 }, async () => {
  await buildServer();
  const rows = await runAttacks({ seed: 7, isQuick: true, only: ATTACKS });
  expect(rows).toHaveLength(ATTACKS.length);
  expect(rows.filter(({ isHeld }) => !isHeld).map((row) => [lineOf(row), row.effect?.broken])).toEqual([]);
});
