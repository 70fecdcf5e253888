import { expect, test } from 'vitest';
import { runBotCrashes } from '#tests/faults/bot-crashes.ts';
import { openBybitStage, openCruelStage } from '#tests/faults/bybit-stage.ts';
import { isNightly } from '#tests/support/nightly.ts';

test.concurrent('a bot process killed at random moments repeats no order, leaves no position without a stop, and ends with the same result', {
  timeout: 300_000,
}, async () => {
  const report = await runBotCrashes({ kills: 2, seed: 11, candles: 60 });
  expect(report.faults).toEqual([]);
  expect(report.kills).toBeGreaterThanOrEqual(2);
  expect(report.orders).toBeGreaterThan(2);
  expect(report.closes).toBeGreaterThan(0);
});

test.concurrent('the same holds on a live exchange that loses answers and refuses calls', { timeout: 300_000 }, async () => {
  const report = await runBotCrashes({ kills: 1, seed: 12, candles: 30, openStage: openBybitStage });
  expect(report.faults).toEqual([]);
  expect(report.kills).toBeGreaterThanOrEqual(1);
  expect(report.orders).toBeGreaterThan(1);
});

// `npm test` has these cruelties without kills, in bybit-cruel-faults.test.ts.
test.runIf(isNightly).concurrent(
  'on an exchange that does whatever it documents, nothing is doubled, lost or without a stop',
  {
    timeout: 300_000,
  },
  async () => {
    const report = await runBotCrashes({ kills: 1, seed: 13, candles: 30, openStage: openCruelStage, keepsResults: false });
    expect(report.faults).toEqual([]);
    expect(report.kills).toBeGreaterThanOrEqual(1);
  },
);
