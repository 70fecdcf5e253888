import { expect, test } from 'vitest';
import { run } from '#tests/faults/crash-recovery.ts';

test('a server killed twice has everything it acknowledged, and has charged each question once', { timeout: 300_000 }, async () => {
  const report = await run({ rounds: 2, seed: 7 });
  expect(report).toMatchObject({ rounds: 2, lost: 0, miscounted: 0 });
  expect(report.acknowledged).toBeGreaterThan(0);
});
