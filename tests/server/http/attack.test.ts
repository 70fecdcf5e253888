import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runAttacks } from '#tests/attack/run-attacks.ts';
import { lineOf } from '#tests/attack/table.ts';

/** Builds only what changed. */
const build = () =>
  promisify(execFile)(process.execPath, [fileURLToPath(new URL('../../../src/tools/build.mjs', import.meta.url)), 'server']);

test('a short run of the attacks holds each, and other users keep being served', { timeout: 600_000 }, async () => {
  await build();
  const rows = await runAttacks({ seed: 7, isQuick: true });
  expect(rows.length).toBeGreaterThan(8);
  expect(rows.filter(({ isHeld }) => !isHeld).map((row) => [lineOf(row), row.effect?.broken])).toEqual([]);
});
