import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runAttacks } from '#tests/attack/run-attacks.ts';
import { lineOf } from '#tests/attack/table.ts';

/** Builds the server if its sources changed. */
const build = () =>
  promisify(execFile)(process.execPath, [fileURLToPath(new URL('../../../src/tools/build.mjs', import.meta.url)), 'server']);

/** The attack that calls each route; `npm run nightly` makes all of them, at full length. */
const ATTACKS = ['requests with mistakes'];

test('a short attack is held off while other users keep being served', { timeout: 300_000 }, async () => {
  await build();
  const rows = await runAttacks({ seed: 7, isQuick: true, only: ATTACKS });
  expect(rows).toHaveLength(ATTACKS.length);
  expect(rows.filter(({ isHeld }) => !isHeld).map((row) => [lineOf(row), row.effect?.broken])).toEqual([]);
});
