import { expect, test } from 'vitest';
import { runBotCrashes } from '../faults/bot-crashes';

test('a bot process killed at random moments doubles no order, leaves no position bare, and earns what it would have', {
  timeout: 300_000,
}, async () => {
  const report = await runBotCrashes({ kills: 5, seed: 11, candles: 120 });
  expect(report.faults).toEqual([]);
  expect(report.kills).toBeGreaterThanOrEqual(5);
  expect(report.orders).toBeGreaterThan(5);
});
