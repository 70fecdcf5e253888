import { expect, test } from 'vitest';
import { runAlertCrashes } from '#tests/faults/alert-crashes.ts';

test('a process that is killed while it checks fires each crossing once, also one that no process saw', { timeout: 300_000 }, async () => {
  const report = await runAlertCrashes({ kills: 3, seed: 7 });
  expect(report).toMatchObject({ kills: 3, faults: [] });
  expect(report.fired).toBeGreaterThan(10);
});
